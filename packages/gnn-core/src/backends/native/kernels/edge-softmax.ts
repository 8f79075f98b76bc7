import type { BlockAttrs } from "../../../ops/edge-softmax.ts";
import { runKernel } from "../../run-kernel.ts";
import type { Tensor } from "../../tf.ts";
import { registerNativeGradient, registerSharedKernel } from "../native-kernel.ts";

registerSharedKernel<"scores", BlockAttrs>("EdgeSoftmax", ({ inputs, attrs: { block }, backend, addon }) => {
  const [numEdges, heads] = inputs.scores.shape as [number, number];
  const out = backend.allocate([numEdges, heads]);
  addon.edgeSoftmax(backend.block(block), heads, backend.floats(inputs.scores), out.values);
  return out.info;
});

registerSharedKernel<"dy" | "out", BlockAttrs>("EdgeSoftmaxGrad", ({ inputs, attrs: { block }, backend, addon }) => {
  const [numEdges, heads] = inputs.dy.shape as [number, number];
  const dScores = backend.allocate([numEdges, heads]);
  addon.edgeSoftmaxGrad(
    backend.block(block),
    heads,
    backend.floats(inputs.out),
    backend.floats(inputs.dy),
    dScores.values,
  );
  return dScores.info;
});

registerNativeGradient("EdgeSoftmax", { inputsToSave: [], outputsToSave: [true] }, (dy, [out], attrs) => ({
  scores: runKernel("EdgeSoftmaxGrad", { dy, out: out as Tensor }, attrs)[0] as Tensor,
}));
