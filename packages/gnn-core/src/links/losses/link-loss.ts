import type { Scalar, Tensor2D } from "../../backends/tf.ts";

/**
 * How far scores are from telling links from negatives, summed over links; to be called inside `tidy`. The sum, not the
 * mean, so that ranks can add theirs and divide by the number of all links.
 *
 * @param positives float32 [n, 1]
 * @param negatives float32 [n, perLink]: those of each link
 */
export interface LinkLoss {
  (positives: Tensor2D, negatives: Tensor2D): Scalar;
  /** Where it is the softmax of scores divided by a temperature: that. Left out: it is another loss */
  readonly temperature?: number;
}
