import { hasKernel, runKernel } from "../backends/run-kernel.ts";
import {
  abs,
  add,
  exp,
  log1p,
  mul,
  neg,
  relu,
  type Scalar,
  sub,
  sum,
  type Tensor2D,
  tensor2d,
  tidy,
} from "../backends/tf.ts";
import { GnnError } from "../errors/gnn-error.ts";

export interface Attrs {
  readonly targets: Float32Array;
  readonly weights: Float32Array | null;
}

/**
 * Sigmoid cross-entropy of nodes with several labels, summed over nodes and classes:
 *   loss = Σ_i w_i Σ_c −[t_ic·log σ(z_ic) + (1 − t_ic)·log(1 − σ(z_ic))] = Σ_i w_i Σ_c (softplus(z_ic) − t_ic·z_ic)
 * The sum, not the mean, so that ranks can add theirs and divide by the sum of all weights.
 *
 * @param logits   float32 [n, classes]
 * @param targets  float32 [n · classes], each from 0 to 1: does node i have label c
 * @param weights  float32 [n], or null: every weight is 1
 * @returns        float32 scalar, owned by the caller; 0 for n = 0
 * @throws GnnError SHAPE_MISMATCH
 */
export function sigmoidCrossEntropySum(logits: Tensor2D, targets: Float32Array, weights: Float32Array | null): Scalar {
  const rows = logits.shape[0];
  if (targets.length !== logits.size || (weights && weights.length !== rows)) {
    throw new GnnError(
      "SHAPE_MISMATCH",
      `sigmoidCrossEntropySum: logits [${logits.shape.join(", ")}], ${targets.length} targets, ${weights?.length ?? "no"} weights; expected a target for every logit and a weight for every row.`,
    );
  }
  const attrs: Attrs = { targets, weights };
  if (hasKernel("SigmoidCrossEntropySum")) return runKernel("SigmoidCrossEntropySum", { logits }, attrs)[0] as Scalar;
  return tidy(() => composeSigmoidCrossEntropy(logits, attrs));
}

function composeSigmoidCrossEntropy(logits: Tensor2D, { targets, weights }: Attrs): Scalar {
  const [rows, classes] = logits.shape;
  const factor = tensor2d(weights ?? new Float32Array(rows).fill(1), [rows, 1]);
  const softplus = add(relu(logits), log1p(exp(neg(abs(logits)))));
  return sum<Scalar>(mul(sub(softplus, mul(tensor2d(targets, [rows, classes]), logits)), factor));
}
