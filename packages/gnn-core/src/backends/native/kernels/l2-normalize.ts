import { runKernel } from "../../run-kernel.ts";
import type { Tensor } from "../../tf.ts";
import { registerNativeGradient, registerSharedKernel } from "../native-kernel.ts";

registerSharedKernel<"x", object>("L2Normalize", ({ inputs, backend, addon }) => {
  const [rows, dim] = inputs.x.shape as [number, number];
  const out = backend.allocate([rows, dim]);
  const norms = backend.allocateSaved(rows);
  addon.l2Normalize(rows, dim, backend.floats(inputs.x), norms.values, out.values);
  return [out.info, norms.info];
});

registerSharedKernel<"dy" | "out" | "norms", object>("L2NormalizeGrad", ({ inputs, backend, addon }) => {
  const [rows, dim] = inputs.dy.shape as [number, number];
  const dx = backend.allocate([rows, dim]);
  const out = backend.floats(inputs.out);
  const norms = backend.floats(inputs.norms);
  const dy = backend.floats(inputs.dy);
  addon.l2NormalizeGrad(rows, dim, out, norms, dy, dx.values);
  return dx.info;
});

registerNativeGradient("L2Normalize", { inputsToSave: [], outputsToSave: [true, true] }, (dy, [out, norms]) => {
  const inputs = { dy, out, norms } as Record<string, Tensor>;
  return { x: runKernel("L2NormalizeGrad", inputs, {})[0] as Tensor };
});
