import { hasKernel, runKernel } from "../backends/run-kernel.ts";
import type { Scalar, Tensor2D } from "../backends/tf.ts";

/**
 * Rows whose largest logit, the first of equal ones, is at their label, as a tensor: on a device nothing is read back.
 *
 * @param logits  float32 [n, classes]
 * @param labels  int32 [n], class index; a negative label counts nothing
 * @returns       float32 scalar, owned by the caller; null where the backend has no kernel for it
 */
export function countHits(logits: Tensor2D, labels: Int32Array): Scalar | null {
  if (!hasKernel("CountHits")) return null;
  return runKernel("CountHits", { logits }, { labels })[0] as Scalar;
}
