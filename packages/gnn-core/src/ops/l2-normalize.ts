import { registerNativeGradient, registerNativeKernel, runNativeKernel } from "../backends/native/native-kernel.ts";
import { div, getBackend, maximum, mul, sqrt, sum, type Tensor, type Tensor2D, tidy } from "../backends/tf.ts";

/**
 * Each row to Euclidean length 1: out_v = x_v / max(‖x_v‖₂, 1e-12); a row of zeros stays one.
 * Hamilton et al. 2017 (arXiv:1706.02216), Algorithm 1, line 7.
 *
 * @param x  float32 [n, dim]
 * @returns  float32 [n, dim], owned by the caller
 */
export function l2Normalize(x: Tensor2D): Tensor2D {
  return tidy(() => {
    if (getBackend() !== "native") return composeL2Normalize(x);
    return runNativeKernel("L2Normalize", { x }, {})[0] as Tensor2D;
  });
}

/** The same from stock ops; the maximum is taken of the squares, as the root has no slope at 0. */
export function composeL2Normalize(x: Tensor2D): Tensor2D {
  return div(x, sqrt(maximum(sum(mul(x, x), 1, true), 1e-24)));
}

registerNativeKernel<"x", object>("L2Normalize", ({ inputs, backend, addon }) => {
  const [rows, dim] = inputs.x.shape as [number, number];
  const out = backend.allocate([rows, dim]);
  const norms = backend.allocateSaved(rows);
  addon.l2Normalize(rows, dim, backend.floats(inputs.x), norms.values, out.values);
  return [out.info, norms.info];
});

registerNativeKernel<"dy" | "out" | "norms", object>("L2NormalizeGrad", ({ inputs, backend, addon }) => {
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
  return { x: runNativeKernel("L2NormalizeGrad", inputs, {})[0] as Tensor };
});
