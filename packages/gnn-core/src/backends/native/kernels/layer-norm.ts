import type { LayerNormAttrs } from "../../../ops/layer-norm.ts";
import { runKernel } from "../../run-kernel.ts";
import type { Tensor } from "../../tf.ts";
import { registerNativeGradient, registerSharedKernel } from "../native-kernel.ts";

registerSharedKernel<"x" | "scale" | "shift", LayerNormAttrs>("LayerNorm", ({ inputs, attrs, backend, addon }) => {
  const [rows, dim] = inputs.x.shape as [number, number];
  const out = backend.allocate([rows, dim]);
  const moments = backend.allocateSaved(2 * rows);
  const x = backend.floats(inputs.x);
  const scale = backend.floats(inputs.scale);
  const shift = backend.floats(inputs.shift);
  addon.layerNorm(rows, dim, x, scale, shift, attrs.epsilon, moments.values, out.values);
  return [out.info, moments.info];
});

type GradInput = "dy" | "x" | "scale" | "moments";

registerSharedKernel<GradInput, object>("LayerNormGrad", ({ inputs, backend, addon }) => {
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
    const [dx, dScale, dShift] = runKernel("LayerNormGrad", inputs, {}) as [Tensor, Tensor, Tensor];
    return { x: dx, scale: dScale, shift: dShift };
  },
);
