import { mul, type Tensor2D } from "../../backends/tf.ts";
import type { LinkLoss } from "./link-loss.ts";
import { softmaxLoss } from "./softmax.ts";

/**
 * Σ_i −log(e^{s_i/τ} / (e^{s_i/τ} + Σ_j e^{s_ij/τ})), for scores within bounds, such as cosines.
 * van den Oord et al. 2018, arXiv:1807.03748, equation 4; τ as in Chen et al. 2020, arXiv:2002.05709, equation 1.
 */
export function infoNce(temperature: number): LinkLoss {
  const softmax = softmaxLoss();
  const loss: LinkLoss = (positives, negatives) =>
    softmax(mul<Tensor2D>(positives, 1 / temperature), mul<Tensor2D>(negatives, 1 / temperature));
  return Object.assign(loss, { temperature });
}
