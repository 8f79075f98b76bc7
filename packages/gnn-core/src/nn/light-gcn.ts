import { add, mul, type Tensor2D, tidy } from "../backends/tf.ts";
import type { Block } from "../graph/block.ts";
import { checkBlockRows } from "../ops/block-attrs.ts";
import { columnRange, joinColumns } from "../ops/columns.ts";
import { featuresToTensor } from "../ops/features-to-tensor.ts";
import { rowRange } from "../ops/row-range.ts";
import { symmetricWeights } from "../ops/symmetric-norm.ts";
import { weightedSpmm } from "../ops/weighted-spmm.ts";
import type { LightGcnOptions, ParametricLayer } from "./index.ts";
import type { GnnModel, LayerInput } from "./model.ts";
import { sequential } from "./sequential.ts";

/**
 * The hops of LightGCN, which layer-wise inference takes one by one. In training all are taken at once: rows that were
 * summed go along with no hop, and only those of the last dst rows are added up.
 */
export function lightGcnModel({ dim, numHops }: LightGcnOptions): GnnModel {
  const hops = Array.from({ length: numHops }, (_, index) => lightGcnHopLayer({ index, dim, numHops }));
  return {
    ...sequential(hops, { usesNeighbors: true, usesDegrees: true }),
    forward: (blocks, x) =>
      tidy(() => {
        const { numDst } = blocks.at(-1) as Block;
        let rows = "kind" in x ? featuresToTensor(x) : x;
        let sum = rowRange(rows, 0, numDst);
        for (const block of blocks) {
          checkBlockRows("lightGcn", block, rows.shape[0]);
          rows = weightedSpmm(block, rows, symmetricWeights(block));
          sum = add<Tensor2D>(sum, rows.shape[0] === numDst ? rows : rowRange(rows, 0, numDst));
        }
        return mul<Tensor2D>(sum, 1 / (numHops + 1));
      }),
  };
}

/**
 * One hop of LightGCN: E^k+1 = Ã·E^k, Ã = D^-1/2·A·D^-1/2, whose result is the mean of E^0 … E^K. Rows between hops are
 * [E^k ‖ E^0 + … + E^k], so that each hop knows all before it. He et al. 2020 (arXiv:2002.02126), equations 3 and 4.
 *
 * forward(block, x, context):
 *   x        float32 [block.numSrc, dim], feature rows or a tensor for the first hop, [numSrc, 2·dim] for others
 *   returns  float32 [block.numDst, 2·dim], of the last hop [block.numDst, dim]; owned by the caller
 *   throws   GnnError SHAPE_MISMATCH when x has not numSrc rows, or the block no srcDegrees
 */
function lightGcnHopLayer({ index, dim, numHops }: LightGcnOptions & { readonly index: number }): ParametricLayer {
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
        const next = weightedSpmm(block, rows, symmetricWeights(block));
        const sum = add<Tensor2D>(before, next);
        return isLast ? mul<Tensor2D>(sum, 1 / (numHops + 1)) : joinColumns(next, sum);
      }),
    dispose: () => {},
  };
}
