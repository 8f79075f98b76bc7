import { l2Normalize } from "../../ops/l2-normalize.ts";
import { innerProduct } from "./inner-product.ts";
import type { LinkDecoder } from "./link-decoder.ts";

/**
 * s(u, v) = ⟨h_u, h_v⟩ / (‖h_u‖·‖h_v‖), from −1 to 1; a row of zeros scores 0 with all. Between these bounds a logistic
 * loss stays flat: use it with `infoNce`, or a margin below 1.
 */
export function cosineDecoder(): LinkDecoder {
  return innerProduct({ variables: [], isSymmetric: true }, l2Normalize, l2Normalize);
}
