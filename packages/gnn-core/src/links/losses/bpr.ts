import { mul, type Scalar, sub, sum } from "../../backends/tf.ts";
import { softplus } from "../../ops/softplus.ts";
import type { LinkLoss } from "./link-loss.ts";
import { evenWeights, type NegativeWeights } from "./negative-weights.ts";

/**
 * Bayesian personalised ranking: Σ_i Σ_j −w_ij·log σ(s_i − s_ij), each link before each of its negatives.
 * Rendle et al. 2009, arXiv:1205.2618, section 4.1.
 */
export function bpr(weights: NegativeWeights = evenWeights): LinkLoss {
  return (positives, negatives) => sum<Scalar>(mul(weights(negatives), softplus(sub(negatives, positives))));
}
