import { innerProduct } from "./inner-product.ts";
import type { LinkDecoder } from "./link-decoder.ts";

/** s(u, v) = ⟨h_u, h_v⟩. Kipf and Welling 2016, Variational Graph Auto-Encoders, arXiv:1611.07308, section 1. */
export function dotDecoder(): LinkDecoder {
  return innerProduct({ variables: [], isSymmetric: true }, (src) => src);
}
