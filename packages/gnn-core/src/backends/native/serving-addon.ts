/** The rows that a search found, query after query; of query i there are counts[i] of them, the nearest first. */
export interface FoundRows {
  readonly counts: Int32Array;
  readonly rows: Int32Array;
  /** By the metric, the higher the nearer; of L2 the squared distance with a minus */
  readonly scores: Float64Array;
}

/** How `nearestRows` names the metrics */
export const metricCodes = { cosine: 0, dot: 1, l2: 2 } as const;

/** Searches in stored rows (native/binding/serving_binding.cc). */
export interface ServingAddon {
  /** |row| of each row, float32 [numRows] */
  rowNorms(rows: Float32Array, dim: number): Promise<Float32Array>;
  /**
   * The k nearest rows of each query, found exactly: scores are sums in double precision, ties go by the row's number.
   *
   * @param rows    float32 [numRows, dim]
   * @param norms   `rowNorms` of them
   * @param queries float32 [numQueries, dim], finite
   * @param metric  one of `metricCodes`
   * @param groupOf int32 [numRows]; query i is answered with rows of the group wanted[i] alone, -1: with all
   */
  nearestRows(
    rows: Float32Array,
    norms: Float32Array,
    dim: number,
    queries: Float32Array,
    metric: number,
    k: number,
    groupOf: Int32Array | null,
    wanted: Int32Array | null,
  ): Promise<FoundRows>;
}
