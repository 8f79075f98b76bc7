import { matMul, mul, sum, type Tensor2D, tidy } from "../../backends/tf.ts";
import type { LinkDecoder } from "./link-decoder.ts";

/**
 * A decoder s(u, v) = ⟨query(h_u), key(h_v)⟩, whose scores of all pairs are one matrix product.
 *
 * @param key left out: the row as it is
 */
export function innerProduct(
  { variables, isSymmetric }: Pick<LinkDecoder, "variables" | "isSymmetric">,
  query: (src: Tensor2D) => Tensor2D,
  key: (dst: Tensor2D) => Tensor2D = (dst) => dst,
): LinkDecoder {
  return {
    variables,
    isSymmetric,
    score: (src, dst) => sum<Tensor2D>(mul(query(src), key(dst)), 1, true),
    scoreAll: (src, candidates) => tidy(() => matMul<Tensor2D>(query(src), key(candidates), false, true)),
  };
}
