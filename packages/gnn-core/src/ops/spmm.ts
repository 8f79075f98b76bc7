import { hasKernel, runKernel } from "../backends/run-kernel.ts";
import { gather, mul, slice, type Tensor2D, tensor1d, tensor2d, tidy, unsortedSegmentSum } from "../backends/tf.ts";
import type { DenseRows } from "../features/feature-store.ts";
import { StoredRows } from "../features/stored-rows.ts";
import type { Block, Importance } from "../graph/block.ts";
import { checkBlockRows } from "./block-attrs.ts";
import { featuresToTensor } from "./features-to-tensor.ts";
import { composeWeightedSpmm, type SumWeights, weightedSpmm } from "./weighted-spmm.ts";

export interface BlockAttrs {
  readonly block: Block;
}

export interface StoredAttrs extends BlockAttrs {
  readonly rows: StoredRows;
}

/**
 * Mean over in-neighbours: out_v = mean{ x_u : u ∈ N(v) }, 0 without in-neighbours. Edge weights are not read.
 * A block's `messageFactors` multiply the rows, not what they are divided by.
 * For a block with importance weights: the estimate Σ_e mean[e]·x_u of the mean over all in-neighbours.
 * Its gradient walks `block.reverse`, without atomics.
 *
 * @param x  float32 [block.numSrc, dim]; feature rows get no gradient
 * @returns  float32 [block.numDst, dim], owned by the caller
 * @throws GnnError SHAPE_MISMATCH when x.shape[0] !== block.numSrc
 */
export function spmmMean(block: Block, x: Tensor2D | DenseRows): Tensor2D {
  checkBlockRows("spmmMean", block, "kind" in x ? x.numRows : x.shape[0]);
  if (block.importance) return weightedSpmm(block, x, importanceMean(block.importance));
  if (block.messageFactors) return weightedSpmm(block, x, evenMean(block));
  if (hasKernel("SpmmMeanStored") && x instanceof StoredRows && x.source && !x.isDropped) {
    return runKernel("SpmmMeanStored", {}, { block, rows: x } satisfies StoredAttrs)[0] as Tensor2D;
  }
  return tidy(() => {
    const rows = "kind" in x ? featuresToTensor(x) : x;
    if (!hasKernel("SpmmMean")) return composeSpmmMean(block, rows);
    return runKernel("SpmmMean", { x: rows }, { block } satisfies BlockAttrs)[0] as Tensor2D;
  });
}

/** Composes the op from stock ones: gather edge messages, sum by dst, scale by 1/degree. */
export function composeSpmmMean(block: Block, x: Tensor2D): Tensor2D {
  const { numDst, indptr, indices, importance } = block;
  if (importance) return composeWeightedSpmm(block, x, importanceMean(importance));
  if (block.messageFactors) return composeWeightedSpmm(block, x, evenMean(block));
  // Segment sums do not take zero edges; 0·x keeps the result on the tape.
  if (indices.length === 0) return mul(slice(x, [0, 0], [numDst, x.shape[1]]), 0);
  const dst = new Int32Array(indices.length);
  const scale = new Float32Array(numDst);
  for (let v = 0; v < numDst; v++) {
    const begin = indptr[v] as number;
    const end = indptr[v + 1] as number;
    dst.fill(v, begin, end);
    scale[v] = end === begin ? 0 : 1 / (end - begin);
  }
  const messages = gather(x, tensor1d(indices, "int32"));
  const sums = unsortedSegmentSum<Tensor2D>(messages, tensor1d(dst, "int32"), numDst);
  return mul(sums, tensor2d(scale, [numDst, 1]));
}

/** 1 / in-degree within the block, by edge */
function evenMean({ numDst, indptr, indices }: Block): SumWeights {
  const edgeWeights = new Float32Array(indices.length);
  for (let v = 0; v < numDst; v++) {
    const [begin, end] = [indptr[v] as number, indptr[v + 1] as number];
    edgeWeights.fill(1 / (end - begin), begin, end);
  }
  return { edgeWeights, selfWeights: null };
}

function importanceMean({ mean }: Importance): SumWeights {
  return { edgeWeights: mean, selfWeights: null };
}
