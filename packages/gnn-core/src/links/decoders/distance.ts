import { sub, type Tensor2D, tensor2d, tidy } from "../../backends/tf.ts";
import type { LinkDecoder } from "./link-decoder.ts";

/** How far a row is from where it is expected: on the tape [n, 1], and of two arrays' rows the same number. */
export interface Distance {
  ofRows(difference: Tensor2D): Tensor2D;
  between(a: Float32Array, aRow: number, b: Float32Array, bRow: number, dim: number): number;
}

/** A decoder s(u, v) = margin − ‖query(h_u) − h_v‖. */
export function distanceDecoder(
  about: Pick<LinkDecoder, "variables" | "relationRows" | "isComplex">,
  { margin, distance }: { readonly margin: number; readonly distance: Distance },
  query: (src: Tensor2D, relations: Int32Array | undefined) => Tensor2D,
): LinkDecoder {
  return {
    ...about,
    isSymmetric: false,
    score: (src, dst, relations) => sub<Tensor2D>(margin, distance.ofRows(sub<Tensor2D>(query(src, relations), dst))),
    // By arrays: as tensors each row's differences from all candidates would be another [candidates, dim].
    scoreAll: (src, candidates, relations) =>
      tidy(() => {
        const [rows, dim] = src.shape;
        const [count] = candidates.shape;
        const from = query(src, relations).dataSync<"float32">();
        const to = candidates.dataSync<"float32">();
        const scores = new Float32Array(rows * count);
        for (let i = 0; i < scores.length; i++) {
          scores[i] = margin - distance.between(from, Math.floor(i / count), to, i % count, dim);
        }
        return tensor2d(scores, [rows, count]);
      }),
  };
}

/** Keeps the slope of a length finite at 0. */
export const tiny = 1e-12;
