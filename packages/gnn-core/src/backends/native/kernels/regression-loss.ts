import type { Attrs, RegressionLoss } from "../../../ops/regression-loss.ts";
import { runKernel } from "../../run-kernel.ts";
import type { Tensor } from "../../tf.ts";
import { registerNativeGradient, registerNativeKernel } from "../native-kernel.ts";

const kindCodes: Record<RegressionLoss, number> = { mse: 0, mae: 1, huber: 2 };

registerNativeKernel<"outputs", Attrs>("RegressionLossSum", ({ inputs, attrs, backend, addon }) => {
  const loss = backend.allocate([]);
  const outputs = backend.floats(inputs.outputs);
  const { kind, delta, targets } = attrs;
  loss.values[0] = addon.regressionLossSum(kindCodes[kind], delta, outputs.length, outputs, targets);
  return loss.info;
});

registerNativeKernel<"dy" | "outputs", Attrs>("RegressionLossGrad", ({ inputs, attrs, backend, addon }) => {
  const outputs = backend.floats(inputs.outputs);
  const { kind, delta, targets } = attrs;
  const dOutputs = backend.allocate(inputs.outputs.shape);
  const scale = backend.floats(inputs.dy)[0] as number;
  addon.regressionLossGrad(kindCodes[kind], delta, outputs.length, outputs, targets, scale, dOutputs.values);
  return dOutputs.info;
});

registerNativeGradient(
  "RegressionLossSum",
  { inputsToSave: ["outputs"], outputsToSave: [] },
  (dy, [outputs], attrs) => ({
    outputs: runKernel("RegressionLossGrad", { dy, outputs } as Record<string, Tensor>, attrs)[0] as Tensor,
  }),
);
