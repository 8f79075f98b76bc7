import type { BatchNormAttrs } from "../../../ops/batch-norm.ts";
import { runKernel } from "../../run-kernel.ts";
import type { Tensor } from "../../tf.ts";
import { registerNativeGradient, registerNativeKernel } from "../native-kernel.ts";

type BatchNormInput = "x" | "mean" | "variance" | "scale" | "shift";

const inverseRoot = (variance: Float32Array, { epsilon }: BatchNormAttrs) =>
  variance.map((value) => 1 / Math.sqrt(value + epsilon)) as Float32Array;

registerNativeKernel<BatchNormInput, BatchNormAttrs>("BatchNorm", ({ inputs, attrs, backend, addon }) => {
  const [rows, dim] = inputs.x.shape as [number, number];
  const out = backend.allocate([rows, dim]);
  const inverse = inverseRoot(backend.floats(inputs.variance), attrs);
  const [x, mean, scale, shift] = (["x", "mean", "scale", "shift"] as const).map((name) =>
    backend.floats(inputs[name]),
  ) as [Float32Array, Float32Array, Float32Array, Float32Array];
  addon.batchNorm(rows, dim, x, mean, inverse, scale, shift, out.values);
  return out.info;
});

type GradInput = "dy" | "x" | "mean" | "variance" | "scale";

registerNativeKernel<GradInput, BatchNormAttrs>("BatchNormGrad", ({ inputs, attrs, backend, addon }) => {
  const [rows, dim] = inputs.x.shape as [number, number];
  const dx = backend.allocate([rows, dim]);
  const dScale = backend.allocate([dim]);
  const dShift = backend.allocate([dim]);
  const dMean = backend.allocate([dim]);
  const dVariance = backend.allocate([dim]);
  const inverse = inverseRoot(backend.floats(inputs.variance), attrs);
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
  (dy, [x, mean, variance, scale], attrs) => {
    const inputs = { dy, x, mean, variance, scale } as Record<GradInput, Tensor>;
    const [dx, dMean, dVariance, dScale, dShift] = runKernel("BatchNormGrad", inputs, attrs);
    return { x: dx, mean: dMean, variance: dVariance, scale: dScale, shift: dShift } as Record<BatchNormInput, Tensor>;
  },
);
