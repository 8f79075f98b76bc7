import type { CrossEntropyAttrs } from "../../../ops/cross-entropy.ts";
import type { ArrayTypes, KernelMemory } from "../../memory.ts";
import { runKernel } from "../../run-kernel.ts";
import type { Tensor } from "../../tf.ts";
import { registerNativeGradient, registerSharedKernel } from "../native-kernel.ts";

function targetsOf<M extends ArrayTypes>(backend: KernelMemory<M>, { labels, weights }: CrossEntropyAttrs) {
  return { labels: backend.constantInts(labels), weights: weights && backend.constant(weights) };
}

registerSharedKernel<"logits", CrossEntropyAttrs>("CrossEntropySum", ({ inputs, attrs, backend, addon }) => {
  const [rows, classes] = inputs.logits.shape as [number, number];
  const loss = backend.allocate([]);
  const { labels, weights } = targetsOf(backend, attrs);
  addon.crossEntropySum(rows, classes, backend.floats(inputs.logits), labels, weights, loss.values);
  return loss.info;
});

registerSharedKernel<"dy" | "logits", CrossEntropyAttrs>("CrossEntropyGrad", ({ inputs, attrs, backend, addon }) => {
  const [rows, classes] = inputs.logits.shape as [number, number];
  const dLogits = backend.allocate([rows, classes]);
  const scale = backend.scalar(inputs.dy);
  const logits = backend.floats(inputs.logits);
  const { labels, weights } = targetsOf(backend, attrs);
  addon.crossEntropyGrad(rows, classes, logits, labels, weights, scale, dLogits.values);
  return dLogits.info;
});

registerNativeGradient("CrossEntropySum", { inputsToSave: ["logits"], outputsToSave: [] }, (dy, [logits], attrs) => ({
  logits: runKernel("CrossEntropyGrad", { dy, logits } as Record<string, Tensor>, attrs)[0] as Tensor,
}));
