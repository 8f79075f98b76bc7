import { hasKernel, runKernel } from "../backends/run-kernel.ts";
import {
  logSoftmax,
  mul,
  neg,
  oneHot,
  type Scalar,
  sum,
  type Tensor2D,
  tensor1d,
  tensor2d,
  tidy,
} from "../backends/tf.ts";
import { GnnError } from "../errors/gnn-error.ts";

export interface CrossEntropyAttrs {
  readonly labels: Int32Array;
  readonly weights: Float32Array | null;
}

/**
 * Softmax cross-entropy, summed: loss = Σ_i w_i · (−log softmax(logits_i)[label_i]). The sum, not the mean, so that
 * ranks can add theirs and divide by the sum of all weights.
 *
 * @param logits   float32 [n, classes]
 * @param labels   int32 [n], class index; a negative label counts nothing
 * @param weights  float32 [n], or null: every weight is 1
 * @returns        float32 scalar, owned by the caller; 0 for n = 0
 * @throws GnnError SHAPE_MISMATCH
 */
export function crossEntropySum(logits: Tensor2D, labels: Int32Array, weights: Float32Array | null): Scalar {
  const rows = logits.shape[0];
  if (labels.length !== rows || (weights && weights.length !== rows)) {
    throw new GnnError(
      "SHAPE_MISMATCH",
      `crossEntropySum: ${rows} rows of logits, ${labels.length} labels, ${weights?.length ?? "no"} weights; expected as many of each.`,
    );
  }
  const attrs: CrossEntropyAttrs = { labels, weights };
  if (hasKernel("CrossEntropySum")) return runKernel("CrossEntropySum", { logits }, attrs)[0] as Scalar;
  return tidy(() => composeCrossEntropy(logits, attrs));
}

function composeCrossEntropy(logits: Tensor2D, { labels, weights }: CrossEntropyAttrs): Scalar {
  const [rows, classes] = logits.shape;
  // A label of −1 gives a row of zeros.
  const targets = oneHot(tensor1d(labels, "int32"), classes);
  const factor = tensor2d(weights ?? new Float32Array(rows).fill(1), [rows, 1]);
  return neg<Scalar>(sum(mul(mul(logSoftmax(logits), targets), factor)));
}
