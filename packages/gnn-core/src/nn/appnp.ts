import { type Tensor2D, tidy } from "../backends/tf.ts";
import { GnnError } from "../errors/gnn-error.ts";
import type { Block } from "../graph/block.ts";
import { type AppnpOptions, appnp } from "../ops/appnp.ts";
import { checkBlockRows } from "../ops/block-attrs.ts";
import { columnRange, joinColumns } from "../ops/columns.ts";
import { dense } from "./dense.ts";
import type { AppnpModelOptions } from "./index.ts";
import type { ForwardContext, GnnModel, Layer, LayerInput } from "./model.ts";

/**
 * Predict, then propagate: H = MLP(X), then K hops of personalised propagation; all weights are the MLP's.   Z⁰ = H;
 * Zᵏ⁺¹ = (1 − α)·Â·Zᵏ + α·H;  logits = Zᴷ, Â = D̂^-1/2·(A + I)·D̂^-1/2 Gasteiger, Bojchevski and Günnemann 2019
 * (arXiv:1810.05997), equations 3 and 4. While training, dropout on the input of each dense layer and, anew in each
 * hop, on the entries of Â (diagonal included), as in the authors' code.
 *
 * In training all hops are one op (`forward`). One by one, the layers hand on [Zᵏ ‖ H], 2·outDim columns, the last Zᴷ
 * alone: equal to `forward`, and what layer-wise inference needs.
 */
export function appnpModel(options: AppnpModelOptions): GnnModel {
  const { outDim, numHops, alpha, edgeDropout } = options;
  const mlp = options.dims.map(([from, to], index) =>
    dense({
      name: `mlp.${index}`,
      inDim: from,
      outDim: to,
      seed: options.seed,
      activation: index === options.dims.length - 1 ? "none" : options.activation,
      dropout: index === 0 ? options.inputDropout : options.dropout,
      index,
    }),
  );
  const predict = (x: LayerInput, rowIds: Int32Array, context: ForwardContext) =>
    mlp.reduce<LayerInput>((rows, layer) => layer.apply(rows, rowIds, context), x) as Tensor2D;
  const hop = (index: number, { training, seed, epoch, step }: ForwardContext): AppnpOptions => ({
    alpha,
    dropout:
      training && edgeDropout > 0 ? { rate: edgeDropout, key: { seed, layer: mlp.length + index, epoch, step } } : null,
  });
  const layers = Array.from({ length: numHops }, (_, index): Layer => {
    const isLast = index === numHops - 1;
    return {
      outDim: isLast ? outDim : 2 * outDim,
      forward: (block, x, context) =>
        tidy(() => {
          checkBlockRows("appnp", block, "kind" in x ? x.numRows : x.shape[0]);
          const [z, h] = index === 0 ? twice(predict(x, block.srcIds, context)) : halves(x as Tensor2D, outDim);
          const out = appnp([block], h, hop(index, context), z);
          return isLast ? out : joinColumns(out, h);
        }),
    };
  });
  return {
    layers,
    forward: (blocks, x, context) => tidy(() => appnp(blocks, predict(x, firstIds(blocks), context), hop(0, context))),
    variables: mlp.flatMap(({ variables }) => variables),
    usesNeighbors: true,
    usesDegrees: true,
    dispose: () => {
      for (const { variable } of mlp.flatMap(({ variables }) => variables)) variable.dispose();
    },
  };
}

const twice = (h: Tensor2D): [Tensor2D, Tensor2D] => [h, h];

function halves(x: Tensor2D, dim: number): [Tensor2D, Tensor2D] {
  return [columnRange(x, 0, dim), columnRange(x, dim, 2 * dim)];
}

function firstIds(blocks: readonly Block[]): Int32Array {
  if (blocks[0]) return blocks[0].srcIds;
  throw new GnnError("SHAPE_MISMATCH", "appnp: there is no block; expected one per hop.");
}
