import type { GinAttrs } from "../../../ops/gin-sum.ts";
import { runKernel } from "../../run-kernel.ts";
import type { Tensor } from "../../tf.ts";
import { registerNativeGradient, registerSharedKernel } from "../native-kernel.ts";

registerSharedKernel<"x" | "epsilon", GinAttrs>("GinSum", ({ inputs, attrs, backend, addon }) => {
  const { block } = attrs;
  const edgeWeights = attrs.edgeWeights && backend.constant(attrs.edgeWeights);
  const dim = inputs.x.shape[1] as number;
  const out = backend.allocate([block.numDst, dim]);
  const epsilon = backend.floats(inputs.epsilon);
  const x = backend.floats(inputs.x);
  addon.ginSum(backend.block(block), dim, edgeWeights, epsilon, x, out.values);
  return out.info;
});

registerSharedKernel<"dy" | "x" | "epsilon", GinAttrs>("GinSumGrad", ({ inputs, attrs, backend, addon }) => {
  const { block } = attrs;
  const edgeWeights = attrs.edgeWeights && backend.constant(attrs.edgeWeights);
  const dim = inputs.x.shape[1] as number;
  const dx = backend.allocate([block.numSrc, dim]);
  const dEpsilon = backend.allocate([1]);
  addon.ginSumGrad(
    backend.reversibleBlock(block),
    backend.reverseEdges(block),
    dim,
    edgeWeights,
    backend.floats(inputs.epsilon),
    backend.floats(inputs.x),
    backend.floats(inputs.dy),
    dx.values,
    dEpsilon.values,
  );
  return [dx.info, dEpsilon.info];
});

registerNativeGradient("GinSum", { inputsToSave: ["x", "epsilon"], outputsToSave: [] }, (dy, [x, epsilon], attrs) => {
  const inputs = { dy, x, epsilon } as Record<string, Tensor>;
  const [dx, dEpsilon] = runKernel("GinSumGrad", inputs, attrs) as [Tensor, Tensor];
  return { x: dx, epsilon: dEpsilon };
});
