import { add, mul, neg, type Scalar, sum } from "../../backends/tf.ts";
import { softplus } from "../../ops/softplus.ts";
import type { LinkLoss } from "./link-loss.ts";
import { evenWeights, type NegativeWeights } from "./negative-weights.ts";

/**
 * Σ_i [−log σ(s_i) − Σ_j w_ij·log(1 − σ(s_ij))]: links and negatives weigh the same, however many there are of these.
 * Kipf and Welling 2016, arXiv:1611.07308; with self-adversarial weights Sun et al. 2019, arXiv:1902.10197, equation 5.
 */
export function binaryCrossEntropy(weights: NegativeWeights = evenWeights): LinkLoss {
  return (positives, negatives) =>
    add<Scalar>(sum<Scalar>(softplus(neg(positives))), sum<Scalar>(mul(weights(negatives), softplus(negatives))));
}
