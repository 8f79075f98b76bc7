import { add, mul, type Tensor2D, tanh, tidy } from "../backends/tf.ts";

/**
 * x·Φ(x) by its tanh form: x/2·(1 + tanh(√(2/π)·(x + 0.044715·x³))). Hendrycks and Gimpel 2016 (arXiv:1606.08415).
 *
 * @param x  float32 [n, dim]
 * @returns  float32 [n, dim], owned by the caller
 */
export function gelu(x: Tensor2D): Tensor2D {
  return tidy(() => {
    const cubed = mul<Tensor2D>(mul(mul(x, x), x), 0.044715);
    const share = add<Tensor2D>(tanh(mul(add(x, cubed), Math.sqrt(2 / Math.PI))), 1);
    return mul<Tensor2D>(mul(x, 0.5), share);
  });
}
