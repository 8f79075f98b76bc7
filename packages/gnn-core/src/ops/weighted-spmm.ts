import { registerNativeGradient, registerNativeKernel, runNativeKernel } from "../backends/native/native-kernel.ts";
import {
  add,
  gather,
  getBackend,
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
import { checkBlockRows, dstOfEdges, nativeBlock, reversibleBlock } from "./block-attrs.ts";
import { featuresToTensor } from "./features-to-tensor.ts";

/** Constant weights of a sum over in-neighbours. */
export interface SumWeights {
  /** float32 [numEdges] in the order of `block.indices`; null: 1 */
  readonly edgeWeights: Float32Array | null;
  /** float32 [numDst], weight of the row itself; null: 0 */
  readonly selfWeights: Float32Array | null;
}

interface WeightedAttrs extends SumWeights {
  readonly block: Block;
}
interface StoredAttrs extends WeightedAttrs {
  readonly rows: StoredRows;
}

/**
 * Weighted sum over in-neighbours and the row itself: out_v = Σ_{e: u → v} w_e·x_u + s_v·x_v.
 * No edge message is stored; the gradient walks `block.reverse`, without atomics.
 *
 * @param x  float32 [block.numSrc, dim]; feature rows get no gradient
 * @returns  float32 [block.numDst, dim], owned by the caller
 * @throws GnnError SHAPE_MISMATCH when x has not block.numSrc rows, or weights of another length
 */
export function weightedSpmm(
  block: Block,
  x: Tensor2D | DenseRows,
  { edgeWeights, selfWeights }: SumWeights,
): Tensor2D {
  checkBlockRows("weightedSpmm", block, "kind" in x ? x.numRows : x.shape[0]);
  const attrs: WeightedAttrs = { block, edgeWeights, selfWeights };
  if (getBackend() === "native" && x instanceof StoredRows && x.source && !x.isDropped) {
    return runNativeKernel("WeightedSpmmStored", {}, { ...attrs, rows: x } satisfies StoredAttrs)[0] as Tensor2D;
  }
  return tidy(() => {
    const rows = "kind" in x ? featuresToTensor(x) : x;
    if (getBackend() !== "native") return composeWeightedSpmm(block, rows, { edgeWeights, selfWeights });
    return runNativeKernel("WeightedSpmm", { x: rows }, attrs)[0] as Tensor2D;
  });
}

/** The same from stock ops. */
export function composeWeightedSpmm(block: Block, x: Tensor2D, { edgeWeights, selfWeights }: SumWeights): Tensor2D {
  const { numDst, indices } = block;
  const own = () => slice(x, [0, 0], [numDst, x.shape[1]]);
  const self = selfWeights ? mul<Tensor2D>(own(), tensor2d(selfWeights, [numDst, 1])) : null;
  // Segment sums do not take zero edges; 0·x keeps the result on the tape.
  if (indices.length === 0) return self ?? matMul(zeros([numDst, x.shape[0]]), x);
  const messages = gather(x, tensor1d(indices, "int32"));
  const weighted = edgeWeights ? mul<Tensor2D>(messages, tensor2d(edgeWeights, [indices.length, 1])) : messages;
  const sums = unsortedSegmentSum<Tensor2D>(weighted, tensor1d(dstOfEdges(block), "int32"), numDst);
  return self ? add(sums, self) : sums;
}

registerNativeKernel<"x", WeightedAttrs>("WeightedSpmm", ({ inputs: { x }, attrs, backend, addon }) => {
  const { block, edgeWeights, selfWeights } = attrs;
  const dim = x.shape[1] as number;
  const out = backend.allocate([block.numDst, dim]);
  addon.weightedSpmm(nativeBlock(block), dim, edgeWeights, selfWeights, backend.floats(x), out.values);
  return out.info;
});

registerNativeKernel<never, StoredAttrs>("WeightedSpmmStored", ({ attrs, backend, addon }) => {
  const { block, edgeWeights, selfWeights, rows } = attrs;
  const out = backend.allocate([block.numDst, rows.dim]);
  addon.weightedSpmm(nativeBlock(block), rows.dim, edgeWeights, selfWeights, rows.source ?? rows.values, out.values);
  return out.info;
});

registerNativeKernel<"dy", WeightedAttrs>("WeightedSpmmGrad", ({ inputs: { dy }, attrs, backend, addon }) => {
  const { block, edgeWeights, selfWeights } = attrs;
  const dim = dy.shape[1] as number;
  const dx = backend.allocate([block.numSrc, dim]);
  const values = backend.floats(dy);
  addon.weightedSpmmGrad(reversibleBlock(block), block.reverse.edges, dim, edgeWeights, selfWeights, values, dx.values);
  return dx.info;
});

registerNativeGradient("WeightedSpmm", { inputsToSave: [], outputsToSave: [] }, (dy, _saved, attrs) => ({
  x: runNativeKernel("WeightedSpmmGrad", { dy }, attrs)[0] as Tensor2D,
}));
