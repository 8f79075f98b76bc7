import type { ActivationAttrs, BiasActivation } from "../../../ops/bias-activate.ts";
import { runKernel } from "../../run-kernel.ts";
import type { Tensor } from "../../tf.ts";
import { registerNativeGradient, registerSharedKernel } from "../native-kernel.ts";

const order: readonly BiasActivation[] = ["none", "relu", "elu", "leakyRelu", "tanh"];

registerSharedKernel<"x" | "bias", ActivationAttrs>("BiasActivate", ({ inputs, attrs, backend, addon }) => {
  const [rows, dim] = inputs.x.shape as [number, number];
  const out = backend.allocate([rows, dim]);
  const activation = order.indexOf(attrs.activation);
  addon.biasActivate(rows, dim, backend.floats(inputs.x), backend.floats(inputs.bias), activation, out.values);
  return out.info;
});

registerSharedKernel<"dy" | "out", ActivationAttrs>("BiasActivateGrad", ({ inputs, attrs, backend, addon }) => {
  const [rows, dim] = inputs.dy.shape as [number, number];
  const dx = backend.allocate([rows, dim]);
  const dBias = backend.allocate([dim]);
  const activation = order.indexOf(attrs.activation);
  const out = backend.floats(inputs.out);
  const dy = backend.floats(inputs.dy);
  addon.biasActivateGrad(rows, dim, out, dy, activation, dx.values, dBias.values);
  return [dx.info, dBias.info];
});

registerNativeGradient("BiasActivate", { inputsToSave: [], outputsToSave: [true] }, (dy, [out], attrs) => {
  const [x, bias] = runKernel("BiasActivateGrad", { dy, out: out as Tensor }, attrs) as [Tensor, Tensor];
  return { x, bias };
});
