import type { Tensor2D } from "../backends/tf.ts";

/**
 * What makes sums over the drawn edges of a dst row v estimates of those over all its in-edges, for any f:
 *   Σ_e sum[e]·f(e) of Σ_{u → v} f(u → v),   Σ_e mean[e]·f(e) of that divided by the number of in-edges.
 * 1 / probability of each edge, or the same scaled so that `sum` adds up to the number of in-edges (Hájek's estimator).
 */
export interface Importance {
  /** float32 [numEdges] */
  readonly sum: Float32Array;
  /** float32 [numEdges] */
  readonly mean: Float32Array;
}

/**
 * A bipartite message-flow graph of one hop: src rows send to dst rows (DGL's block).
 * Its first `numDst` src rows *are* the dst rows. Column = dst, entries = in-neighbours (BlockIds of src).
 *
 * Three nodes, 7 → 9 ← 8, seeds [9]: srcIds [9, 7, 8], numDst 1, indptr [0, 2], indices [1, 2].
 */
export interface Block {
  /** `cuda`: sampled on a device, which has the edges; the host waits for those that it asks for */
  readonly device: "cpu" | "cuda";
  readonly numSrc: number;
  readonly numDst: number;
  /** Left out: as many as `indices` has. `numEdgesOf` reads either. */
  readonly numEdges?: number;
  /** int32 [numDst + 1] */
  readonly indptr: Int32Array;
  /** int32 [numEdges], BlockIds of src rows */
  readonly indices: Int32Array;
  /** GlobalId of every src row, int32 [numSrc] */
  readonly srcIds: Int32Array;
  /** float32 [numEdges] when the graph has edge weights */
  readonly weights: Float32Array | null;
  /**
   * Relation of every edge, int32 [numEdges], ascending within a dst row; left out where all edges of the graph are
   * alike, or the sampler does not tell.
   */
  readonly types?: Int32Array;
  /** Left out where the edges of each dst row were all taken, or drawn with equal probability. */
  readonly importance?: Importance;
  /**
   * What each message is multiplied by, after all else that weighs it, float32 [numEdges, 1]; it gets a gradient. For
   * explanations (explain/explain-node.ts), which refuse layers that do not read it. Left out: 1.
   */
  readonly messageFactors?: Tensor2D;
  /**
   * (Weighted) in-degree of every src row in the whole graph, float32 [numSrc]; there when the model asks for it
   * (`usesDegrees`, see sampling/with-degrees.ts). A block alone does not tell it: sampling leaves out edges.
   */
  readonly srcDegrees?: Float32Array;
  /**
   * The edges by src: backward passes use them, so that they need no atomics and are deterministic. Samplers' blocks
   * have it sorted when it is first read.
   */
  readonly reverse: {
    /** int32 [numSrc + 1] */
    readonly indptr: Int32Array;
    /** dst row of every edge, int32 [numEdges] */
    readonly indices: Int32Array;
    /** position of the edge in `indices`, int32 [numEdges] */
    readonly edges: Int32Array;
  };
}
