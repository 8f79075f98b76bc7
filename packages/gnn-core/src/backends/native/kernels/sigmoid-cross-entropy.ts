import type { Attrs } from "../../../ops/sigmoid-cross-entropy.ts";
import { runKernel } from "../../run-kernel.ts";
import type { Tensor } from "../../tf.ts";
import { registerNativeGradient, registerSharedKernel } from "../native-kernel.ts";

registerSharedKernel<"logits", Attrs>("SigmoidCrossEntropySum", ({ inputs, attrs, backend, addon }) => {
  const [rows, classes] = inputs.logits.shape as [number, number];
  const loss = backend.allocate([]);
  const logits = backend.floats(inputs.logits);
  const weights = attrs.weights && backend.constant(attrs.weights);
  addon.sigmoidCrossEntropySum(rows, classes, logits, backend.constant(attrs.targets), weights, loss.values);
  return loss.info;
});

registerSharedKernel<"dy" | "logits", Attrs>("SigmoidCrossEntropyGrad", ({ inputs, attrs, backend, addon }) => {
  const [rows, classes] = inputs.logits.shape as [number, number];
  const dLogits = backend.allocate([rows, classes]);
  const scale = backend.scalar(inputs.dy);
  const logits = backend.floats(inputs.logits);
  const weights = attrs.weights && backend.constant(attrs.weights);
  const targets = backend.constant(attrs.targets);
  addon.sigmoidCrossEntropyGrad(rows, classes, logits, targets, weights, scale, dLogits.values);
  return dLogits.info;
});

registerNativeGradient(
  "SigmoidCrossEntropySum",
  { inputsToSave: ["logits"], outputsToSave: [] },
  (dy, [logits], attrs) => ({
    logits: runKernel("SigmoidCrossEntropyGrad", { dy, logits } as Record<string, Tensor>, attrs)[0] as Tensor,
  }),
);
