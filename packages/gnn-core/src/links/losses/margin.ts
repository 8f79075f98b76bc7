import { add, mul, relu, type Scalar, sub, sum, type Tensor2D } from "../../backends/tf.ts";
import type { LinkLoss } from "./link-loss.ts";
import { evenWeights, type NegativeWeights } from "./negative-weights.ts";

/**
 * Σ_i Σ_j w_ij·max(0, γ − s_i + s_ij): each link before each of its negatives by γ at least.
 * Bordes et al. 2013, Translating Embeddings, equation 1, its distances being −s.
 */
export function marginLoss(margin: number, weights: NegativeWeights = evenWeights): LinkLoss {
  return (positives, negatives) => {
    const lag = relu(add<Tensor2D>(sub(negatives, positives), margin));
    return sum<Scalar>(mul(weights(negatives), lag));
  };
}
