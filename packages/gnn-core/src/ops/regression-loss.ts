import { registerNativeGradient, registerNativeKernel, runNativeKernel } from "../backends/native/native-kernel.ts";
import {
  abs,
  add,
  getBackend,
  minimum,
  mul,
  type Scalar,
  square,
  sub,
  sum,
  type Tensor,
  type Tensor2D,
  tensor2d,
  tidy,
} from "../backends/tf.ts";
import { GnnError } from "../errors/gnn-error.ts";

/** mse: e²; mae: |e|; huber: e²/2 up to |e| = delta, then delta·(|e| − delta/2) (Huber 1964) */
export type RegressionLoss = "mse" | "mae" | "huber";

interface Attrs {
  readonly kind: RegressionLoss;
  readonly delta: number;
  readonly targets: Float32Array;
}

const kindCodes: Record<RegressionLoss, number> = { mse: 0, mae: 1, huber: 2 };

/**
 * Loss of numbers, summed over nodes and columns: Σ l(output − target). The sum, not the mean, so that ranks can add
 * theirs and divide by the number of all known targets.
 *
 * @param outputs  float32 [n, columns]
 * @param targets  float32 [n · columns]; NaN = not known: counts nothing
 * @param delta    where Huber's loss goes from square to straight; the others do not read it
 * @returns        float32 scalar, owned by the caller; 0 when nothing is known
 * @throws GnnError SHAPE_MISMATCH
 */
export function regressionLossSum(
  outputs: Tensor2D,
  targets: Float32Array,
  kind: RegressionLoss,
  delta: number,
): Scalar {
  if (targets.length !== outputs.size) {
    const shape = outputs.shape.join(", ");
    const message = `regressionLossSum: outputs [${shape}], ${targets.length} targets; expected one for every output.`;
    throw new GnnError("SHAPE_MISMATCH", message);
  }
  const attrs: Attrs = { kind, delta, targets };
  if (getBackend() === "native") return runNativeKernel("RegressionLossSum", { outputs }, attrs)[0] as Scalar;
  return tidy(() => composeRegressionLoss(outputs, attrs));
}

function composeRegressionLoss(outputs: Tensor2D, { kind, delta, targets }: Attrs): Scalar {
  const shape = outputs.shape;
  const known = tensor2d(
    Float32Array.from(targets, (target) => (Number.isNaN(target) ? 0 : 1)),
    shape,
  );
  const wanted = tensor2d(
    Float32Array.from(targets, (target) => (Number.isNaN(target) ? 0 : target)),
    shape,
  );
  const errors = mul(sub(outputs, wanted), known);
  if (kind === "mse") return sum(square(errors));
  if (kind === "mae") return sum(abs(errors));
  // With c = min(|e|, δ): c²/2 + δ·(|e| − c)
  const sizes = abs(errors);
  const inner = minimum(sizes, delta);
  return sum<Scalar>(add(mul(square(inner), 0.5), mul(sub(sizes, inner), delta)));
}

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
    outputs: runNativeKernel("RegressionLossGrad", { dy, outputs } as Record<string, Tensor>, attrs)[0] as Tensor,
  }),
);
