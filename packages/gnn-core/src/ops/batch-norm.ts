import { registerNativeGradient, registerNativeKernel, runNativeKernel } from "../backends/native/native-kernel.ts";
import { add, getBackend, mul, rsqrt, sub, type Tensor, type Tensor1D, type Tensor2D, tidy } from "../backends/tf.ts";

/** Keeps the division finite where a column is constant; PyTorch's default. */
export const batchNormEpsilon = 1e-5;

/** Mean and (biased) variance of each column, float32 [dim]. */
export interface ColumnStatistics {
  readonly mean: Tensor1D;
  readonly variance: Tensor1D;
}

/**
 * Each column by the statistics given: out = (x − mean) / √(variance + 1e-5) ⊙ scale + shift. All five inputs have
 * gradients; that of the statistics is what has to go back into the rows they were counted from.
 * Ioffe and Szegedy 2015 (arXiv:1502.03167), algorithm 1.
 *
 * @param x      float32 [n, dim]
 * @param scale  float32 [dim]
 * @param shift  float32 [dim]
 * @returns      float32 [n, dim], owned by the caller
 */
export function batchNorm(
  x: Tensor2D,
  { mean, variance }: ColumnStatistics,
  scale: Tensor1D,
  shift: Tensor1D,
): Tensor2D {
  return tidy(() => {
    if (getBackend() !== "native") return composeBatchNorm(x, { mean, variance }, scale, shift);
    return runNativeKernel("BatchNorm", { x, mean, variance, scale, shift }, {})[0] as Tensor2D;
  });
}

/** The same from stock ops. */
export function composeBatchNorm(
  x: Tensor2D,
  { mean, variance }: ColumnStatistics,
  scale: Tensor1D,
  shift: Tensor1D,
): Tensor2D {
  const normal = mul<Tensor2D>(sub(x, mean), rsqrt(add(variance, batchNormEpsilon)));
  return add(mul(normal, scale), shift);
}

type BatchNormInput = "x" | "mean" | "variance" | "scale" | "shift";

const inverseRoot = (variance: Float32Array) =>
  variance.map((value) => 1 / Math.sqrt(value + batchNormEpsilon)) as Float32Array;

registerNativeKernel<BatchNormInput, object>("BatchNorm", ({ inputs, backend, addon }) => {
  const [rows, dim] = inputs.x.shape as [number, number];
  const out = backend.allocate([rows, dim]);
  const inverse = inverseRoot(backend.floats(inputs.variance));
  const [x, mean, scale, shift] = (["x", "mean", "scale", "shift"] as const).map((name) =>
    backend.floats(inputs[name]),
  ) as [Float32Array, Float32Array, Float32Array, Float32Array];
  addon.batchNorm(rows, dim, x, mean, inverse, scale, shift, out.values);
  return out.info;
});

type GradInput = "dy" | "x" | "mean" | "variance" | "scale";

registerNativeKernel<GradInput, object>("BatchNormGrad", ({ inputs, backend, addon }) => {
  const [rows, dim] = inputs.x.shape as [number, number];
  const dx = backend.allocate([rows, dim]);
  const dScale = backend.allocate([dim]);
  const dShift = backend.allocate([dim]);
  const dMean = backend.allocate([dim]);
  const dVariance = backend.allocate([dim]);
  const inverse = inverseRoot(backend.floats(inputs.variance));
  const scale = backend.floats(inputs.scale);
  addon.batchNormGrad(
    rows,
    dim,
    backend.floats(inputs.x),
    backend.floats(inputs.mean),
    inverse,
    scale,
    backend.floats(inputs.dy),
    dx.values,
    dScale.values,
    dShift.values,
  );
  for (let d = 0; d < dim; d++) {
    const inverted = inverse[d] as number;
    const factor = scale[d] as number;
    dMean.values[d] = -(dShift.values[d] as number) * inverted * factor;
    dVariance.values[d] = -0.5 * (dScale.values[d] as number) * factor * inverted * inverted;
  }
  return [dx, dMean, dVariance, dScale, dShift].map(({ info }) => info);
});

registerNativeGradient(
  "BatchNorm",
  { inputsToSave: ["x", "mean", "variance", "scale"], outputsToSave: [] },
  (dy, [x, mean, variance, scale]) => {
    const inputs = { dy, x, mean, variance, scale } as Record<GradInput, Tensor>;
    const [dx, dMean, dVariance, dScale, dShift] = runNativeKernel("BatchNormGrad", inputs, {});
    return { x: dx, mean: dMean, variance: dVariance, scale: dScale, shift: dShift } as Record<BatchNormInput, Tensor>;
  },
);
