import { mul, type Tensor2D } from "../../backends/tf.ts";
import { glorotUniform } from "../../nn/variables.ts";
import { innerProduct } from "./inner-product.ts";
import type { DecoderShape, LinkDecoder } from "./link-decoder.ts";

/** s(u, v) = Σ_k h_uk·r_k·h_vk with a learned r. Yang et al. 2015, arXiv:1412.6575, equation 2. */
export function distMultDecoder({ dim, seed }: DecoderShape): LinkDecoder {
  const relation = glorotUniform("decoder.relation", 1, dim, seed);
  return innerProduct({ variables: [relation], isSymmetric: true }, (src) => distMultQuery(src, relation.variable));
}

/** h_u ∘ r: what a target's row is multiplied with. @param relation float32 [n or 1, dim] */
export function distMultQuery(src: Tensor2D, relation: Tensor2D): Tensor2D {
  return mul<Tensor2D>(src, relation);
}
