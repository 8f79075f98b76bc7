import type { SumAttrs, SumKernelAttrs } from "../../../control-variate/control-variate-sum.ts";
import { runKernel } from "../../run-kernel.ts";
import type { Tensor2D } from "../../tf.ts";
import { registerNativeGradient, registerNativeKernel } from "../native-kernel.ts";
import { nativeBlock, reversibleBlock } from "./block-args.ts";

registerNativeKernel<"h", SumKernelAttrs>("ControlVariateSum", ({ inputs: { h }, attrs, backend, addon }) => {
  const { block, sum, edgeWeights, selfWeights, history, withOwnRows } = attrs;
  const dim = h.shape[1] as number;
  const numOwn = withOwnRows ? block.numDst : 0;
  const out = backend.allocate([numOwn + block.numDst, dim]);
  out.values.set(backend.floats(h).subarray(0, numOwn * dim));
  addon.controlVariateSum(
    sum.inverseRoots,
    nativeBlock(block),
    block.srcIds,
    edgeWeights,
    selfWeights,
    dim,
    backend.floats(h),
    history,
    out.values.subarray(numOwn * dim),
    attrs.graph,
  );
  return out.info;
});

registerNativeKernel<"dy", SumAttrs>("ControlVariateSumGrad", ({ inputs: { dy }, attrs, backend, addon }) => {
  const { block, edgeWeights, selfWeights, withOwnRows } = attrs;
  const dim = dy.shape[1] as number;
  const numOwn = (withOwnRows ? block.numDst : 0) * dim;
  const gradient = backend.floats(dy);
  const dh = backend.allocate([block.numSrc, dim]);
  const ofSums = gradient.subarray(numOwn);
  addon.weightedSpmmGrad(reversibleBlock(block), block.reverse.edges, dim, edgeWeights, selfWeights, ofSums, dh.values);
  for (let i = 0; i < numOwn; i++) dh.values[i] = (dh.values[i] as number) + (gradient[i] as number);
  return dh.info;
});

// d ẑ / d h is the sum over the drawn edges: the history is a constant.
registerNativeGradient("ControlVariateSum", { inputsToSave: [], outputsToSave: [] }, (dy, _saved, attrs) => ({
  h: runKernel("ControlVariateSumGrad", { dy }, attrs)[0] as Tensor2D,
}));
