/** Ranks by the scores of all candidates (native/binding/rank_binding.cc), on the host alone. */
export interface RankingAddon {
  /**
   * The rank of targets among the candidates of their query by the product of both rows, into ranks [numTargets]:
   * `links/mean-rank.ts`, of many at once.
   *
   * @param queryRows     float32 [queries, dim]
   * @param candidateRows float32 [candidates, dim]
   * @param starts        int32 [queries + 1] into targets
   * @param leftStarts    int32 [queries + 1] into leftOut: what is no candidate of the query, each once
   */
  rankTargets(
    queries: number,
    candidates: number,
    dim: number,
    rowsAtOnce: number,
    queryRows: Float32Array,
    candidateRows: Float32Array,
    numTargets: number,
    numLeftOut: number,
    starts: Int32Array,
    targets: Int32Array,
    leftStarts: Int32Array,
    leftOut: Int32Array,
    ranks: Float32Array,
  ): void;
}
