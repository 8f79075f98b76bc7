import { mul, type Tensor2D } from "../../backends/tf.ts";
import { innerProduct } from "./inner-product.ts";
import type { DecoderShape, LinkDecoder } from "./link-decoder.ts";
import { relationRows } from "./relation-rows.ts";

/** s(u, v) = Σ_k h_uk·r_k·h_vk with a learned r of each relation. Yang et al. 2015, arXiv:1412.6575, equation 2. */
export function distMultDecoder(shape: DecoderShape): LinkDecoder {
  const rows = relationRows("relation", shape.dim, shape);
  return innerProduct({ variables: [rows.variable], isSymmetric: true, relationRows: rows }, (src, relations) =>
    distMultQuery(src, rows.take(relations)),
  );
}

/** h_u ∘ r: what a target's row is multiplied with. @param relation float32 [n or 1, dim] */
export function distMultQuery(src: Tensor2D, relation: Tensor2D): Tensor2D {
  return mul<Tensor2D>(src, relation);
}
