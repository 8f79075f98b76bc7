import { add, mul, type Tensor2D, tidy } from "../backends/tf.ts";
import type { Block } from "../graph/block.ts";
import { checkBlockRows } from "../ops/block-attrs.ts";
import { columnRange, joinColumns } from "../ops/columns.ts";
import { featuresToTensor } from "../ops/features-to-tensor.ts";
import { rowRange } from "../ops/row-range.ts";
import { symmetricNorm } from "../ops/symmetric-norm.ts";
import { weightedSpmm } from "../ops/weighted-spmm.ts";
import type { LightGcnOptions, ParametricLayer } from "./index.ts";
import type { LayerInput } from "./model.ts";

/**
 * One hop of LightGCN: E^k+1 = Ã·E^k, Ã = D^-1/2·A·D^-1/2, whose result is the mean of E^0 … E^K. Rows between hops are
 * [E^k ‖ E^0 + … + E^k], so that each hop knows all before it. He et al. 2020 (arXiv:2002.02126), equations 3 and 4.
 *
 * forward(block, x, context):
 *   x        float32 [block.numSrc, dim], feature rows or a tensor for the first hop, [numSrc, 2·dim] for others
 *   returns  float32 [block.numDst, 2·dim], of the last hop [block.numDst, dim]; owned by the caller
 *   throws   GnnError SHAPE_MISMATCH when x has not numSrc rows, or the block no srcDegrees
 */
export function lightGcnHopLayer({ index, dim, numHops }: LightGcnOptions): ParametricLayer {
  const [isFirst, isLast] = [index === 0, index === numHops - 1];
  return {
    outDim: isLast ? dim : 2 * dim,
    variables: [],
    forward: (block: Block, x: LayerInput) =>
      tidy(() => {
        checkBlockRows("lightGcnHop", block, "kind" in x ? x.numRows : x.shape[0]);
        const input = "kind" in x ? featuresToTensor(x) : x;
        const rows = isFirst ? input : columnRange(input, 0, dim);
        const own = rowRange(input, 0, block.numDst);
        const before = isFirst ? own : columnRange(own, dim, 2 * dim);
        const next = weightedSpmm(block, rows, symmetricNorm(block));
        const sum = add<Tensor2D>(before, next);
        return isLast ? mul<Tensor2D>(sum, 1 / (numHops + 1)) : joinColumns(next, sum);
      }),
    dispose: () => {},
  };
}
