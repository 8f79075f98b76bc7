import type { Tensor2D } from "../../backends/tf.ts";
import type { NamedVariable } from "../../nn/variables.ts";

/** Scores pairs by the rows of both ends: the higher, the likelier a link src → dst. */
export interface LinkDecoder {
  /** Trained with the encoder; names begin with `decoder.` */
  readonly variables: readonly NamedVariable[];
  /** True where s(u, v) = s(v, u) for all weights: an undirected graph needs it. */
  readonly isSymmetric: boolean;
  /**
   * Row by row, on the tape; to be called inside `tidy`.
   *
   * @param src float32 [n, dim]
   * @param dst float32 [n, dim]
   * @returns float32 [n, 1]
   */
  score(src: Tensor2D, dst: Tensor2D): Tensor2D;
  /**
   * Every row of `src` with every candidate, for evaluation; no gradient is asked of it.
   *
   * @param src        float32 [n, dim]
   * @param candidates float32 [m, dim]
   * @returns float32 [n, m], owned by the caller
   */
  scoreAll(src: Tensor2D, candidates: Tensor2D): Tensor2D;
}

export interface DecoderShape {
  /** Width of the encoder's output */
  readonly dim: number;
  readonly seed: number;
}
