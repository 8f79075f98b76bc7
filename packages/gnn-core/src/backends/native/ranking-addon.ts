/** Losses and ranks by the scores of all candidates (native/binding/{k_vs_all,rank}_binding.cc), on the host alone. */
export interface RankingAddon {
  /**
   * The loss of queries against all candidates, into loss [1], and its gradients: `ops/k-vs-all.ts`.
   *
   * @param queryRows     float32 [queries, dim]
   * @param candidateRows float32 [candidates, dim]
   * @param starts        int32 [queries + 1] into targets, of which each query has some
   * @param groupOf       int32 [candidates] below `groups`; empty where `groups` is 1
   */
  kVsAll(
    isBinary: boolean,
    smoothing: number,
    queries: number,
    candidates: number,
    dim: number,
    queryRows: Float32Array,
    candidateRows: Float32Array,
    numTargets: number,
    starts: Int32Array,
    targets: Int32Array,
    groups: number,
    groupOf: Int32Array,
    loss: Float32Array,
    dQueries: Float32Array,
    dCandidates: Float32Array,
  ): void;

  /**
   * The softmax of each query's own row among candidates that all queries share (`ops/shared-softmax.ts`), with the
   * gradients of all three.
   *
   * @param leftStarts int32 [queries + 1] into left: candidates that are none of the query's, ascending
   */
  sharedSoftmax(
    queries: number,
    candidates: number,
    dim: number,
    queryRows: Float32Array,
    ownRows: Float32Array,
    candidateRows: Float32Array,
    numLeft: number,
    leftStarts: Int32Array,
    left: Int32Array,
    loss: Float32Array,
    dQueries: Float32Array,
    dOwn: Float32Array,
    dCandidates: Float32Array,
  ): void;

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
