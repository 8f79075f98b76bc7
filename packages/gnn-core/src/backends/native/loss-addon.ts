import type { ArrayTypes, HostArrays } from "../memory.ts";

/**
 * Losses of nodes with several labels and of numbers (native/binding/loss_binding.cc), and by the scores of all
 * candidates (k_vs_all_binding.cc). Matrices are row-major float32, [rows, classes] where nothing else is said.
 */
export interface LossAddon<M extends ArrayTypes = HostArrays> {
  /** Sum over rows of weights[i]·Σ_c (softplus(z) − target·z), into sum [1] */
  sigmoidCrossEntropySum(
    rows: number,
    classes: number,
    logits: M["floats"],
    targets: M["floats"],
    weights: M["floats"] | null,
    sum: M["floats"],
  ): void;
  /** scale·weights[i]·(σ(z) − target), into dLogits */
  sigmoidCrossEntropyGrad(
    rows: number,
    classes: number,
    logits: M["floats"],
    targets: M["floats"],
    weights: M["floats"] | null,
    scale: number,
    dLogits: M["floats"],
  ): void;
  /** sum [1] = Σ l(output − target) over entries; kind 0 squared, 1 absolute, 2 Huber; NaN as target counts nothing. */
  regressionLossSum(
    kind: number,
    delta: number,
    count: number,
    outputs: M["floats"],
    targets: M["floats"],
    sum: M["floats"],
  ): void;
  /** scale·l'(output − target), into dOutputs */
  regressionLossGrad(
    kind: number,
    delta: number,
    count: number,
    outputs: M["floats"],
    targets: M["floats"],
    scale: number,
    dOutputs: M["floats"],
  ): void;

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
    queryRows: M["floats"],
    candidateRows: M["floats"],
    numTargets: number,
    starts: M["ints"],
    targets: M["ints"],
    groups: number,
    groupOf: M["ints"],
    loss: M["floats"],
    dQueries: M["floats"],
    dCandidates: M["floats"],
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
    queryRows: M["floats"],
    ownRows: M["floats"],
    candidateRows: M["floats"],
    numLeft: number,
    leftStarts: M["ints"],
    left: M["ints"],
    loss: M["floats"],
    dQueries: M["floats"],
    dOwn: M["floats"],
    dCandidates: M["floats"],
  ): void;
}
