import { joinColumns } from "../../ops/columns.ts";
import { crossEntropySum } from "../../ops/cross-entropy.ts";
import type { LinkLoss } from "./link-loss.ts";

/**
 * Σ_i −log(e^{s_i} / (e^{s_i} + Σ_j e^{s_ij})): which of a link and its negatives is the link.
 * Kadlec et al. 2017, arXiv:1705.10744, section 4, over drawn negatives.
 */
export function softmaxLoss(): LinkLoss {
  const loss: LinkLoss = (positives, negatives) => {
    const scores = joinColumns(positives, negatives);
    return crossEntropySum(scores, new Int32Array(scores.shape[0]), null);
  };
  return Object.assign(loss, { temperature: 1 });
}
