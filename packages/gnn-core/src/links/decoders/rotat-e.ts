import { add, cos, sin, sqrt, square, sum, type Tensor2D } from "../../backends/tf.ts";
import { joinColumns } from "../../ops/columns.ts";
import { complexProduct, halves } from "./compl-ex.ts";
import { type Distance, distanceDecoder, tiny } from "./distance.ts";
import { assertEvenDim } from "./even-dim.ts";
import type { DecoderShape, LinkDecoder } from "./link-decoder.ts";
import { relationRows } from "./relation-rows.ts";

export interface RotatEOptions extends DecoderShape {
  /** γ of the paper: what is added to the score, so that a logistic loss can tell near from far */
  readonly margin: number;
}

/**
 * s(u, v) = margin − Σ_k |h_uk·e^{iθ_k} − h_vk| with learned angles θ of each relation; rows are complex as in
 * `complEx`.
 * Sun et al. 2019, arXiv:1902.10197, equation 2, its distance as the authors' code adds it up.
 *
 * @throws GnnError SPEC_INVALID for an odd width
 */
export function rotatEDecoder({ margin, ...shape }: RotatEOptions): LinkDecoder {
  assertEvenDim("rotatE", shape.dim);
  const rows = relationRows("angles", shape.dim / 2, shape);
  const rotated = (src: Tensor2D, relations: Int32Array | undefined) => {
    const angles = rows.take(relations);
    return complexProduct(src, joinColumns(cos<Tensor2D>(angles), sin<Tensor2D>(angles)));
  };
  return distanceDecoder({ variables: [rows.variable], isComplex: true }, { margin, distance: sumOfModuli }, rotated);
}

const sumOfModuli: Distance = {
  ofRows: (difference) => {
    const [real, imaginary] = halves(difference);
    const squared = add<Tensor2D>(square(real), square(imaginary));
    return sum<Tensor2D>(sqrt(add(squared, tiny)), 1, true);
  },
  between: (a, aRow, b, bRow, dim) => {
    let total = 0;
    for (let k = 0; k < dim / 2; k++) {
      const real = (a[aRow * dim + k] as number) - (b[bRow * dim + k] as number);
      const imaginary = (a[aRow * dim + dim / 2 + k] as number) - (b[bRow * dim + dim / 2 + k] as number);
      total += Math.sqrt(real ** 2 + imaginary ** 2 + tiny);
    }
    return total;
  },
};
