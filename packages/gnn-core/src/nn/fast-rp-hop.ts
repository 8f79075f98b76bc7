import { add, div, maximum, mul, norm, type Tensor2D, tidy } from "../backends/tf.ts";
import type { Block } from "../graph/block.ts";
import { checkBlockRows } from "../ops/block-attrs.ts";
import { columnRange, joinColumns } from "../ops/columns.ts";
import { featuresToTensor } from "../ops/features-to-tensor.ts";
import { rowRange } from "../ops/row-range.ts";
import { spmmMean } from "../ops/spmm.ts";
import { type SumWeights, weightedSpmm } from "../ops/weighted-spmm.ts";
import type { FastRpOptions, ParametricLayer } from "./index.ts";
import type { LayerInput } from "./model.ts";

/** A row shorter than this is 0 and stays so. */
const leastLength = 1e-12;

/**
 * One hop of FastRP: N_k = D⁻¹A·N_k−1, weighted and added to what came of the hops before. Rows between hops are
 * [N_k ‖ sum], so that each hop knows all before it. Chen et al. 2019 (arXiv:1908.11512), Algorithm 1.
 *
 * forward(block, x):
 *   x        float32 [block.numSrc, dim] for the first hop, [numSrc, 2·dim] for others
 *   returns  float32 [block.numDst, 2·dim], of the last hop [block.numDst, dim]; owned by the caller
 *   throws   GnnError SHAPE_MISMATCH when x has not numSrc rows
 */
export function fastRpHopLayer(options: FastRpOptions): ParametricLayer {
  const { index, dim, weights, ownWeight, normalizeHops } = options;
  const isLast = index === weights.length - 1;
  const weighted = (rows: Tensor2D, weight: number): Tensor2D => mul(normalizeHops ? ofLengthOne(rows) : rows, weight);
  return {
    outDim: isLast ? dim : 2 * dim,
    variables: [],
    forward: (block: Block, x: LayerInput) =>
      tidy(() => {
        checkBlockRows("fastRpHop", block, "kind" in x ? x.numRows : x.shape[0]);
        const input = "kind" in x ? featuresToTensor(x) : x;
        const rows = index === 0 ? input : columnRange(input, 0, dim);
        const own = rowRange(input, 0, block.numDst);
        const before = index === 0 ? weighted(own, ownWeight) : columnRange(own, dim, 2 * dim);
        const next = meanOf(block, rows);
        const sum = add<Tensor2D>(before, weighted(next, weights[index] as number));
        return isLast ? sum : joinColumns(next, sum);
      }),
    dispose: () => {},
  };
}

/** D⁻¹A·x, where edges have weights by these. A node without in-neighbours gets 0. */
function meanOf(block: Block, rows: Tensor2D): Tensor2D {
  return block.weights ? weightedSpmm(block, rows, shares(block, block.weights)) : spmmMean(block, rows);
}

function shares({ numDst, indptr }: Block, weights: Float32Array): SumWeights {
  const edgeWeights = new Float32Array(weights.length);
  for (let dst = 0; dst < numDst; dst++) {
    const [begin, end] = [indptr[dst] as number, indptr[dst + 1] as number];
    let sum = 0;
    for (let e = begin; e < end; e++) sum += weights[e] as number;
    for (let e = begin; e < end; e++) edgeWeights[e] = sum === 0 ? 0 : (weights[e] as number) / sum;
  }
  return { edgeWeights, selfWeights: null };
}

function ofLengthOne(rows: Tensor2D): Tensor2D {
  return div<Tensor2D>(rows, maximum(norm(rows, "euclidean", 1, true), leastLength));
}
