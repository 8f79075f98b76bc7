import type { Tensor2D } from "../../backends/tf.ts";
import type { NamedVariable } from "../../nn/variables.ts";
import type { RelationRows } from "./relation-rows.ts";

/** Scores pairs by the rows of both ends: the higher, the likelier a link src → dst. */
export interface LinkDecoder {
  /** Trained with the encoder; names begin with `decoder.` */
  readonly variables: readonly NamedVariable[];
  /** True where s(u, v) = s(v, u) for all weights: an undirected graph needs it. */
  readonly isSymmetric: boolean;
  /** Where scores are ⟨query(h_u), key(h_v)⟩, so that those of all pairs are one product. Left out: they are not */
  readonly product?: DecoderProduct;
  /** What each relation's row is, where it is multiplied or added; left out: there is none */
  readonly relationRows?: RelationRows;
  /** True where rows are complex numbers. Left out: they are real */
  readonly isComplex?: boolean;
  /**
   * Row by row, on the tape; to be called inside `tidy`.
   *
   * @param src       float32 [n, dim]
   * @param dst       float32 [n, dim]
   * @param relations int32 [n], below `DecoderShape.numRelations`; left out: all pairs are of relation 0
   * @returns float32 [n, 1]
   */
  score(src: Tensor2D, dst: Tensor2D, relations?: Int32Array): Tensor2D;
  /**
   * Every row of `src` with every candidate, for evaluation.
   *
   * @param src        float32 [n, dim]
   * @param candidates float32 [m, dim]
   * @param relations  int32 [n], the relation in which each source is scored; left out: all in relation 0
   * @returns float32 [n, m], owned by the caller
   */
  scoreAll(src: Tensor2D, candidates: Tensor2D, relations?: Int32Array): Tensor2D;
}

/** What the scores of a decoder are the inner product of, on the tape; to be called inside `tidy`. */
export interface DecoderProduct {
  /**
   * @param src       float32 [n, dim]
   * @param relations int32 [n]; left out: all in relation 0
   * @returns float32 [n, dim]
   */
  query(src: Tensor2D, relations?: Int32Array): Tensor2D;
  /** @param dst float32 [m, dim]. @returns as many; it may be `dst` itself */
  key(dst: Tensor2D): Tensor2D;
}

export interface DecoderShape {
  /** Width of the encoder's output */
  readonly dim: number;
  readonly seed: number;
  /** Relations that scores are told apart by, each with weights of its own. Left out: 1 */
  readonly numRelations?: number;
}
