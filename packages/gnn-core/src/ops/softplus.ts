import { abs, add, exp, log1p, neg, relu, type Tensor2D } from "../backends/tf.ts";

/** log(1 + e^x) = −log σ(−x), without overflow. */
export function softplus(x: Tensor2D): Tensor2D {
  return add<Tensor2D>(relu(x), log1p(exp(neg(abs(x)))));
}
