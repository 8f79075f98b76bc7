import type { BlockAttrs, StoredAttrs } from "../../../ops/spmm.ts";
import { runKernel } from "../../run-kernel.ts";
import type { Tensor2D } from "../../tf.ts";
import { registerNativeGradient, registerSharedKernel } from "../native-kernel.ts";

registerSharedKernel<"x", BlockAttrs>("SpmmMean", ({ inputs: { x }, attrs: { block }, backend, addon }) => {
  const dim = x.shape[1] as number;
  const out = backend.allocate([block.numDst, dim]);
  addon.spmmMean(backend.block(block), dim, backend.floats(x), out.values);
  return out.info;
});

registerSharedKernel<never, StoredAttrs>("SpmmMeanStored", ({ attrs: { block, rows }, backend, addon }) => {
  const out = backend.allocate([block.numDst, rows.dim]);
  addon.spmmMean(backend.block(block), rows.dim, backend.storedRows(rows), out.values);
  return out.info;
});

registerSharedKernel<"dy", BlockAttrs>("SpmmMeanGrad", ({ inputs: { dy }, attrs: { block }, backend, addon }) => {
  const dim = dy.shape[1] as number;
  const dx = backend.allocate([block.numSrc, dim]);
  addon.spmmMeanGrad(backend.reversibleBlock(block), dim, backend.floats(dy), dx.values);
  return dx.info;
});

registerNativeGradient("SpmmMean", { inputsToSave: [], outputsToSave: [] }, (dy, _saved, attrs) => ({
  x: runKernel("SpmmMeanGrad", { dy }, attrs)[0] as Tensor2D,
}));
