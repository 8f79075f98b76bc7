import type { Attrs } from "../../../ops/sigmoid-cross-entropy.ts";
import { runKernel } from "../../run-kernel.ts";
import type { Tensor } from "../../tf.ts";
import { registerNativeGradient, registerNativeKernel } from "../native-kernel.ts";

registerNativeKernel<"logits", Attrs>("SigmoidCrossEntropySum", ({ inputs, attrs, backend, addon }) => {
  const [rows, classes] = inputs.logits.shape as [number, number];
  const loss = backend.allocate([]);
  const logits = backend.floats(inputs.logits);
  loss.values[0] = addon.sigmoidCrossEntropySum(rows, classes, logits, attrs.targets, attrs.weights);
  return loss.info;
});

registerNativeKernel<"dy" | "logits", Attrs>("SigmoidCrossEntropyGrad", ({ inputs, attrs, backend, addon }) => {
  const [rows, classes] = inputs.logits.shape as [number, number];
  const dLogits = backend.allocate([rows, classes]);
  const scale = backend.floats(inputs.dy)[0] as number;
  const logits = backend.floats(inputs.logits);
  addon.sigmoidCrossEntropyGrad(rows, classes, logits, attrs.targets, attrs.weights, scale, dLogits.values);
  return dLogits.info;
});

registerNativeGradient(
  "SigmoidCrossEntropySum",
  { inputsToSave: ["logits"], outputsToSave: [] },
  (dy, [logits], attrs) => ({
    logits: runKernel("SigmoidCrossEntropyGrad", { dy, logits } as Record<string, Tensor>, attrs)[0] as Tensor,
  }),
);
