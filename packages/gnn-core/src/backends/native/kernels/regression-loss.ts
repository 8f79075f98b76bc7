import type { Attrs, RegressionLoss } from "../../../ops/regression-loss.ts";
import { runKernel } from "../../run-kernel.ts";
import type { Tensor } from "../../tf.ts";
import { registerNativeGradient, registerSharedKernel } from "../native-kernel.ts";

const kindCodes: Record<RegressionLoss, number> = { mse: 0, mae: 1, huber: 2 };

registerSharedKernel<"outputs", Attrs>("RegressionLossSum", ({ inputs, attrs, backend, addon }) => {
  const loss = backend.allocate([]);
  const outputs = backend.floats(inputs.outputs);
  const { kind, delta } = attrs;
  const targets = backend.constant(attrs.targets);
  addon.regressionLossSum(kindCodes[kind], delta, attrs.targets.length, outputs, targets, loss.values);
  return loss.info;
});

registerSharedKernel<"dy" | "outputs", Attrs>("RegressionLossGrad", ({ inputs, attrs, backend, addon }) => {
  const outputs = backend.floats(inputs.outputs);
  const { kind, delta } = attrs;
  const targets = backend.constant(attrs.targets);
  const dOutputs = backend.allocate(inputs.outputs.shape);
  const scale = backend.scalar(inputs.dy);
  addon.regressionLossGrad(kindCodes[kind], delta, attrs.targets.length, outputs, targets, scale, dOutputs.values);
  return dOutputs.info;
});

registerNativeGradient(
  "RegressionLossSum",
  { inputsToSave: ["outputs"], outputsToSave: [] },
  (dy, [outputs], attrs) => ({
    outputs: runKernel("RegressionLossGrad", { dy, outputs } as Record<string, Tensor>, attrs)[0] as Tensor,
  }),
);
