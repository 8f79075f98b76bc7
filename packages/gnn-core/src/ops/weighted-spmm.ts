import { type ConstantFloats, HeldFloats } from "../backends/memory.ts";
import { hasKernel, runKernel } from "../backends/run-kernel.ts";
import {
  add,
  gather,
  matMul,
  mul,
  slice,
  type Tensor2D,
  tensor1d,
  tensor2d,
  tidy,
  unsortedSegmentSum,
  zeros,
} from "../backends/tf.ts";
import type { DenseRows } from "../features/feature-store.ts";
import { StoredRows } from "../features/stored-rows.ts";
import type { Block } from "../graph/block.ts";
import { checkBlockRows, dstOfEdges } from "./block-attrs.ts";
import { factoredSum } from "./factored-sum.ts";
import { featuresToTensor } from "./features-to-tensor.ts";

/** Constant weights of a sum over in-neighbours. */
export interface SumWeights<Floats extends ConstantFloats = Float32Array> {
  /** float32 [numEdges] in the order of `block.indices`; null: 1 */
  readonly edgeWeights: Floats | null;
  /** float32 [numDst], weight of the row itself; null: 0 */
  readonly selfWeights: Floats | null;
}

/** Weights of a layer's block: a device may have made them where it has the edges */
export type BlockWeights = SumWeights<ConstantFloats>;

export interface WeightedAttrs extends BlockWeights {
  readonly block: Block;
}

export interface StoredAttrs extends WeightedAttrs {
  readonly rows: StoredRows;
}

/**
 * Weighted sum over in-neighbours and the row itself: out_v = Σ_{e: u → v} w_e·x_u + s_v·x_v.
 * No edge message is stored; the gradient walks `block.reverse`, without atomics. A block's `messageFactors` multiply
 * w and get a gradient.
 *
 * @param x  float32 [block.numSrc, dim]; feature rows get no gradient
 * @returns  float32 [block.numDst, dim], owned by the caller
 * @throws GnnError SHAPE_MISMATCH when x has not block.numSrc rows, or weights of another length
 */
export function weightedSpmm(
  block: Block,
  x: Tensor2D | DenseRows,
  { edgeWeights, selfWeights }: BlockWeights,
): Tensor2D {
  checkBlockRows("weightedSpmm", block, "kind" in x ? x.numRows : x.shape[0]);
  const attrs: WeightedAttrs = { block, edgeWeights, selfWeights };
  const factors = block.messageFactors;
  if (factors) {
    const weights = hostWeights({ edgeWeights, selfWeights });
    return tidy(() => factoredSum(block, factors, "kind" in x ? featuresToTensor(x) : x, weights));
  }
  if (hasKernel("WeightedSpmmStored") && x instanceof StoredRows && x.source && !x.isDropped) {
    return runKernel("WeightedSpmmStored", {}, { ...attrs, rows: x } satisfies StoredAttrs)[0] as Tensor2D;
  }
  return tidy(() => {
    const rows = "kind" in x ? featuresToTensor(x) : x;
    if (!hasKernel("WeightedSpmm")) {
      return composeWeightedSpmm(block, rows, hostWeights({ edgeWeights, selfWeights }));
    }
    return runKernel("WeightedSpmm", { x: rows }, attrs)[0] as Tensor2D;
  });
}

/** What compositions and the host's own sums take: a backend that has made weights itself has kernels for them, too. */
export function hostWeights({ edgeWeights, selfWeights }: BlockWeights): SumWeights {
  if (edgeWeights instanceof HeldFloats || selfWeights instanceof HeldFloats) {
    throw new TypeError("The weights lie on a device, and what is asked to read them is the host's.");
  }
  return { edgeWeights, selfWeights };
}

/** Composes the op from stock ones. */
export function composeWeightedSpmm(block: Block, x: Tensor2D, { edgeWeights, selfWeights }: SumWeights): Tensor2D {
  const { numDst, indices, messageFactors } = block;
  if (messageFactors) return factoredSum(block, messageFactors, x, { edgeWeights, selfWeights });
  const own = () => slice(x, [0, 0], [numDst, x.shape[1]]);
  const self = selfWeights ? mul<Tensor2D>(own(), tensor2d(selfWeights, [numDst, 1])) : null;
  // Segment sums do not take zero edges; 0·x keeps the result on the tape.
  if (indices.length === 0) return self ?? matMul(zeros([numDst, x.shape[0]]), x);
  const messages = gather(x, tensor1d(indices, "int32"));
  const weighted = edgeWeights ? mul<Tensor2D>(messages, tensor2d(edgeWeights, [indices.length, 1])) : messages;
  const sums = unsortedSegmentSum<Tensor2D>(weighted, tensor1d(dstOfEdges(block), "int32"), numDst);
  return self ? add(sums, self) : sums;
}
