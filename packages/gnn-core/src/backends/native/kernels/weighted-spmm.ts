import type { StoredAttrs, WeightedAttrs } from "../../../ops/weighted-spmm.ts";
import type { ArrayTypes, KernelMemory } from "../../memory.ts";
import { runKernel } from "../../run-kernel.ts";
import type { Tensor2D } from "../../tf.ts";
import { registerNativeGradient, registerSharedKernel } from "../native-kernel.ts";

function weightsOf<M extends ArrayTypes>(backend: KernelMemory<M>, { edgeWeights, selfWeights }: WeightedAttrs) {
  return {
    edgeWeights: edgeWeights && backend.constant(edgeWeights),
    selfWeights: selfWeights && backend.constant(selfWeights),
  };
}

registerSharedKernel<"x", WeightedAttrs>("WeightedSpmm", ({ inputs: { x }, attrs, backend, addon }) => {
  const { block } = attrs;
  const { edgeWeights, selfWeights } = weightsOf(backend, attrs);
  const dim = x.shape[1] as number;
  const out = backend.allocate([block.numDst, dim]);
  addon.weightedSpmm(backend.block(block), dim, edgeWeights, selfWeights, backend.floats(x), out.values);
  return out.info;
});

registerSharedKernel<never, StoredAttrs>("WeightedSpmmStored", ({ attrs, backend, addon }) => {
  const { block, rows } = attrs;
  const { edgeWeights, selfWeights } = weightsOf(backend, attrs);
  const out = backend.allocate([block.numDst, rows.dim]);
  addon.weightedSpmm(backend.block(block), rows.dim, edgeWeights, selfWeights, backend.storedRows(rows), out.values);
  return out.info;
});

registerSharedKernel<"dy", WeightedAttrs>("WeightedSpmmGrad", ({ inputs: { dy }, attrs, backend, addon }) => {
  const { block } = attrs;
  const { edgeWeights, selfWeights } = weightsOf(backend, attrs);
  const dim = dy.shape[1] as number;
  const dx = backend.allocate([block.numSrc, dim]);
  const values = backend.floats(dy);
  addon.weightedSpmmGrad(
    backend.reversibleBlock(block),
    backend.reverseEdges(block),
    dim,
    edgeWeights,
    selfWeights,
    values,
    dx.values,
  );
  return dx.info;
});

registerNativeGradient("WeightedSpmm", { inputsToSave: [], outputsToSave: [] }, (dy, _saved, attrs) => ({
  x: runKernel("WeightedSpmmGrad", { dy }, attrs)[0] as Tensor2D,
}));
