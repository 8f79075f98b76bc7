import type { StoredAttrs, WeightedAttrs } from "../../../ops/weighted-spmm.ts";
import { runKernel } from "../../run-kernel.ts";
import type { Tensor2D } from "../../tf.ts";
import { registerNativeGradient, registerNativeKernel } from "../native-kernel.ts";
import { nativeBlock, reversibleBlock } from "./block-args.ts";

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
  x: runKernel("WeightedSpmmGrad", { dy }, attrs)[0] as Tensor2D,
}));
