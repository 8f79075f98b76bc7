import { fill, type Tensor2D, tensor2d } from "../../backends/tf.ts";

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
    const [rows, perLink] = negatives.shape;
    const weights = Float32Array.from(negatives.dataSync<"float32">(), (score) => temperature * score);
    for (let row = 0; row < rows; row++) softmaxInPlace(weights.subarray(row * perLink, (row + 1) * perLink));
    return tensor2d(weights, [rows, perLink]);
  };
}

function softmaxInPlace(values: Float32Array): void {
  const largest = values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  let sum = 0;
  for (let i = 0; i < values.length; i++) {
    values[i] = Math.exp((values[i] as number) - largest);
    sum += values[i] as number;
  }
  for (let i = 0; i < values.length; i++) values[i] = (values[i] as number) / sum;
}
