import { abs, add, sqrt, square, sum, type Tensor2D } from "../../backends/tf.ts";
import { type Distance, distanceDecoder, tiny } from "./distance.ts";
import type { DecoderShape, LinkDecoder } from "./link-decoder.ts";
import { relationRows } from "./relation-rows.ts";

export interface TransEOptions extends DecoderShape {
  /** 1: sum of absolute differences; 2: Euclidean length */
  readonly norm: 1 | 2;
  /** What is added to the score, so that a logistic loss can tell near from far */
  readonly margin: number;
}

/**
 * s(u, v) = margin − ‖h_u + r − h_v‖ with a learned r of each relation. Bordes et al. 2013, Translating Embeddings,
 * section 2.
 */
export function transEDecoder({ norm, margin, ...shape }: TransEOptions): LinkDecoder {
  const rows = relationRows("relation", shape.dim, shape);
  const distance = norm === 1 ? absolute : euclidean;
  return distanceDecoder({ variables: [rows.variable], relationRows: rows }, { margin, distance }, (src, relations) =>
    add<Tensor2D>(src, rows.take(relations)),
  );
}

const absolute: Distance = {
  ofRows: (difference) => sum<Tensor2D>(abs(difference), 1, true),
  between: (a, aRow, b, bRow, dim) => {
    let total = 0;
    for (let k = 0; k < dim; k++) total += Math.abs((a[aRow * dim + k] as number) - (b[bRow * dim + k] as number));
    return total;
  },
};

const euclidean: Distance = {
  ofRows: (difference) => sqrt<Tensor2D>(add(sum(square(difference), 1, true), tiny)),
  between: (a, aRow, b, bRow, dim) => {
    let total = 0;
    for (let k = 0; k < dim; k++) total += ((a[aRow * dim + k] as number) - (b[bRow * dim + k] as number)) ** 2;
    return Math.sqrt(total + tiny);
  },
};
