import type { CrossEntropyAttrs } from "../../../ops/cross-entropy.ts";
import { runKernel } from "../../run-kernel.ts";
import type { Tensor } from "../../tf.ts";
import { registerNativeGradient, registerNativeKernel } from "../native-kernel.ts";

registerNativeKernel<"logits", CrossEntropyAttrs>("CrossEntropySum", ({ inputs, attrs, backend, addon }) => {
  const [rows, classes] = inputs.logits.shape as [number, number];
  const loss = backend.allocate([]);
  loss.values[0] = addon.crossEntropySum(rows, classes, backend.floats(inputs.logits), attrs.labels, attrs.weights);
  return loss.info;
});

registerNativeKernel<"dy" | "logits", CrossEntropyAttrs>("CrossEntropyGrad", ({ inputs, attrs, backend, addon }) => {
  const [rows, classes] = inputs.logits.shape as [number, number];
  const dLogits = backend.allocate([rows, classes]);
  const scale = backend.floats(inputs.dy)[0] as number;
  const logits = backend.floats(inputs.logits);
  addon.crossEntropyGrad(rows, classes, logits, attrs.labels, attrs.weights, scale, dLogits.values);
  return dLogits.info;
});

registerNativeGradient("CrossEntropySum", { inputsToSave: ["logits"], outputsToSave: [] }, (dy, [logits], attrs) => ({
  logits: runKernel("CrossEntropyGrad", { dy, logits } as Record<string, Tensor>, attrs)[0] as Tensor,
}));
