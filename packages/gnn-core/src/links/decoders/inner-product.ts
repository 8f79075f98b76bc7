import { matMul, mul, sum, type Tensor2D, tidy } from "../../backends/tf.ts";
import type { LinkDecoder } from "./link-decoder.ts";

/**
 * A decoder s(u, v) = ⟨query(h_u), key(h_v)⟩, whose scores of all pairs are one matrix product.
 *
 * @param query of rows in the relation that each pair has
 * @param key   left out: the row as it is
 */
export function innerProduct(
  about: Pick<LinkDecoder, "variables" | "isSymmetric" | "relationRows" | "isComplex">,
  query: (src: Tensor2D, relations: Int32Array | undefined) => Tensor2D,
  key: (dst: Tensor2D) => Tensor2D = (dst) => dst,
): LinkDecoder {
  return {
    ...about,
    product: { query: (src, relations) => query(src, relations), key },
    score: (src, dst, relations) => sum<Tensor2D>(mul(query(src, relations), key(dst)), 1, true),
    scoreAll: (src, candidates, relations) =>
      tidy(() => matMul<Tensor2D>(query(src, relations), key(candidates), false, true)),
  };
}
