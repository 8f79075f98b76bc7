import { registerNativeGradient, registerNativeKernel, runNativeKernel } from "../backends/native/native-kernel.ts";
import {
  add,
  getBackend,
  mean,
  mul,
  rsqrt,
  square,
  sub,
  type Tensor,
  type Tensor1D,
  type Tensor2D,
  tidy,
} from "../backends/tf.ts";

/** Keeps the division finite where all columns of a row are equal; PyTorch's default. */
export const layerNormEpsilon = 1e-5;

/**
 * Each row to mean 0 and variance 1, then scaled and shifted column by column:
 *   out_v = (x_v − mean(x_v)) / √(variance(x_v) + 1e-5) ⊙ scale + shift
 * Ba et al. 2016 (arXiv:1607.06450), equation 4.
 *
 * @param x      float32 [n, dim]
 * @param scale  float32 [dim]
 * @param shift  float32 [dim]
 * @returns      float32 [n, dim], owned by the caller
 */
export function layerNorm(x: Tensor2D, scale: Tensor1D, shift: Tensor1D): Tensor2D {
  return tidy(() => {
    if (getBackend() !== "native") return composeLayerNorm(x, scale, shift);
    return runNativeKernel("LayerNorm", { x, scale, shift }, {})[0] as Tensor2D;
  });
}

/** The same from stock ops. */
export function composeLayerNorm(x: Tensor2D, scale: Tensor1D, shift: Tensor1D): Tensor2D {
  const centred = sub<Tensor2D>(x, mean(x, 1, true));
  const variance = mean(square(centred), 1, true);
  return add(mul(mul(centred, rsqrt(add(variance, layerNormEpsilon))), scale), shift);
}

registerNativeKernel<"x" | "scale" | "shift", object>("LayerNorm", ({ inputs, backend, addon }) => {
  const [rows, dim] = inputs.x.shape as [number, number];
  const out = backend.allocate([rows, dim]);
  const moments = backend.allocateSaved(2 * rows);
  const x = backend.floats(inputs.x);
  const scale = backend.floats(inputs.scale);
  const shift = backend.floats(inputs.shift);
  addon.layerNorm(rows, dim, x, scale, shift, layerNormEpsilon, moments.values, out.values);
  return [out.info, moments.info];
});

type GradInput = "dy" | "x" | "scale" | "moments";

registerNativeKernel<GradInput, object>("LayerNormGrad", ({ inputs, backend, addon }) => {
  const [rows, dim] = inputs.x.shape as [number, number];
  const dx = backend.allocate([rows, dim]);
  const dScale = backend.allocate([dim]);
  const dShift = backend.allocate([dim]);
  addon.layerNormGrad(
    rows,
    dim,
    backend.floats(inputs.x),
    backend.floats(inputs.moments),
    backend.floats(inputs.scale),
    backend.floats(inputs.dy),
    dx.values,
    dScale.values,
    dShift.values,
  );
  return [dx.info, dScale.info, dShift.info];
});

registerNativeGradient(
  "LayerNorm",
  { inputsToSave: ["x", "scale"], outputsToSave: [false, true] },
  (dy, [x, scale, moments]) => {
    const inputs = { dy, x, scale, moments } as Record<GradInput, Tensor>;
    const [dx, dScale, dShift] = runNativeKernel("LayerNormGrad", inputs, {}) as [Tensor, Tensor, Tensor];
    return { x: dx, scale: dScale, shift: dShift };
  },
);
