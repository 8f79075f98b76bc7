import { concat, mul, type Rank, reshape, slice, type Tensor2D, tidy } from "../../backends/tf.ts";
import { dense } from "../../nn/dense.ts";
import { noDropout } from "../../nn/no-dropout.ts";
import { joinColumns } from "../../ops/columns.ts";
import { gatherRows } from "../../ops/gather-rows.ts";
import type { DecoderShape, LinkDecoder } from "./link-decoder.ts";

export interface MlpDecoderOptions extends DecoderShape {
  /** What the network sees of a pair: h_u ∘ h_v, which has no direction, or [h_u ‖ h_v] */
  readonly input: "hadamard" | "concat";
  readonly hiddenFeats: number;
}

const noRows = new Int32Array();

/**
 * s(u, v) = w·relu(W·x + b) + c of x = h_u ∘ h_v, or [h_u ‖ h_v].
 * He et al. 2017, Neural Collaborative Filtering, arXiv:1708.05031, section 3; OGB's link predictor is the product's.
 */
export function mlpDecoder({ dim, seed, input, hiddenFeats }: MlpDecoderOptions): LinkDecoder {
  const inDim = input === "concat" ? 2 * dim : dim;
  const common = { seed, dropout: 0, index: 0 };
  const hidden = dense({ ...common, name: "decoder.0", inDim, outDim: hiddenFeats, activation: "relu" });
  const output = dense({ ...common, name: "decoder.1", inDim: hiddenFeats, outDim: 1, activation: "none" });
  const score = (src: Tensor2D, dst: Tensor2D) => {
    const x = input === "concat" ? joinColumns(src, dst) : mul<Tensor2D>(src, dst);
    return output.apply(hidden.apply(x, noRows, noDropout), noRows, noDropout);
  };
  return {
    variables: [...hidden.variables, ...output.variables],
    isSymmetric: input === "hadamard",
    score,
    // A source at a time: all pairs at once would be n · m rows.
    scoreAll: (src, candidates) =>
      tidy(() => {
        const [rows, width] = src.shape;
        const [count] = candidates.shape;
        const scores = Array.from({ length: rows }, (_, row) =>
          tidy(() => {
            const ends = slice(src, [row, 0], [1, width]);
            return reshape<Rank.R2>(score(repeated(ends, count), candidates), [1, count]);
          }),
        );
        return concat(scores, 0);
      }),
  };
}

function repeated(row: Tensor2D, count: number): Tensor2D {
  return gatherRows(row, new Int32Array(count));
}
