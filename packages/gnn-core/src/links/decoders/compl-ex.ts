import { add, mul, sub, type Tensor2D } from "../../backends/tf.ts";
import { columnRange, joinColumns } from "../../ops/columns.ts";
import { assertEvenDim } from "./even-dim.ts";
import { innerProduct } from "./inner-product.ts";
import type { DecoderShape, LinkDecoder } from "./link-decoder.ts";
import { relationRows } from "./relation-rows.ts";

/**
 * s(u, v) = Re Σ_k h_uk·r_k·conj(h_vk) with a learned complex r of each relation; a row's first half are real parts,
 * its second half imaginary ones. Trouillon et al. 2016, arXiv:1606.06357, equation 9.
 *
 * @throws GnnError SPEC_INVALID for an odd width
 */
export function complExDecoder(shape: DecoderShape): LinkDecoder {
  assertEvenDim("complEx", shape.dim);
  const rows = relationRows("relation", shape.dim, shape);
  return innerProduct(
    { variables: [rows.variable], isSymmetric: false, relationRows: rows, isComplex: true },
    (src, relations) => complexProduct(src, rows.take(relations)),
  );
}

/** h ∘ r of complex rows, (a + ib)·(c + id) = (ac − bd) + i(ad + bc). @param relation float32 [n or 1, dim] */
export function complexProduct(rows: Tensor2D, relation: Tensor2D): Tensor2D {
  const [a, b] = halves(rows);
  const [c, d] = halves(relation);
  return joinColumns(sub<Tensor2D>(mul(a, c), mul(b, d)), add<Tensor2D>(mul(a, d), mul(b, c)));
}

export function halves(rows: Tensor2D): [Tensor2D, Tensor2D] {
  const [, dim] = rows.shape;
  return [columnRange(rows, 0, dim / 2), columnRange(rows, dim / 2, dim)];
}
