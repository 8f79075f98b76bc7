import { hasKernel, runKernel } from "../backends/run-kernel.ts";
import {
  abs,
  add,
  minimum,
  mul,
  type Scalar,
  square,
  sub,
  sum,
  type Tensor2D,
  tensor2d,
  tidy,
} from "../backends/tf.ts";
import { GnnError } from "../errors/gnn-error.ts";

/** mse: e²; mae: |e|; huber: e²/2 up to |e| = delta, then delta·(|e| − delta/2) (Huber 1964) */
export type RegressionLoss = "mse" | "mae" | "huber";

export interface Attrs {
  readonly kind: RegressionLoss;
  readonly delta: number;
  readonly targets: Float32Array;
}

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
  if (hasKernel("RegressionLossSum")) return runKernel("RegressionLossSum", { outputs }, attrs)[0] as Scalar;
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
