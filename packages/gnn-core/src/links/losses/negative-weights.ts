import { customGrad, fill, mul, softmax, type Tensor2D } from "../../backends/tf.ts";

/** How much each negative of a link counts: float32 [n, perLink], rows add up to 1. */
export type NegativeWeights = (negatives: Tensor2D) => Tensor2D;

/** All alike, 1 / perLink. */
export const evenWeights: NegativeWeights = ({ shape }) => fill(shape, 1 / shape[1]);

/**
 * Self-adversarial: the more a negative looks like a link, the more it counts,
 *   w_j = e^{α·s_j} / Σ_k e^{α·s_k}, taken as a constant: no gradient goes through it.
 * Sun et al. 2019, arXiv:1902.10197, equations 4 and 5.
 */
export function selfAdversarialWeights(temperature: number): NegativeWeights {
  return (negatives) => {
    const constant = customGrad(() => ({
      value: softmax(mul<Tensor2D>(negatives, temperature)),
      gradFunc: () => fill(negatives.shape, 0),
    }));
    return constant(negatives);
  };
}
