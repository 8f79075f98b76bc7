import type { CsrRows, GraphHandle } from "./graph-addon.ts";
import type { NativeBlock } from "./sparse-addon.ts";

/** Control variates (native/binding/history_binding.cc): whole-neighbourhood sums, remembered rows, who writes them. */
export interface HistoryAddon {
  /**
   * out [nodes.length, dim] = Σ c_uv·x_u + s_v·x_v over all in-neighbours of each node; x [numNodes, dim].
   * Without `inverseRoots` the mean; with them (1/√(d + 1), [numNodes]) the symmetrically normalised sum.
   */
  sumNeighbors(
    inverseRoots: Float32Array | null,
    nodes: Int32Array,
    dim: number,
    x: Float32Array,
    out: Float32Array,
    graph: GraphHandle,
  ): void;
  /** out [numDst, dim] = Σ_e a_e·(h_u − k_u) + s_v·(h_v − k_v) + the whole sum of k = history [numNodes, dim] */
  controlVariateSum(
    inverseRoots: Float32Array | null,
    block: NativeBlock,
    srcIds: Int32Array,
    edgeWeights: Float32Array,
    selfWeights: Float32Array | null,
    dim: number,
    h: Float32Array,
    history: Float32Array,
    out: Float32Array,
    graph: GraphHandle,
  ): void;
  /** Claims rows for (step, rank), atomically: of one step's claims the lowest rank's holds. claims: [2·numRows] */
  claimRows(
    numRows: number,
    count: number,
    rows: Int32Array,
    step: number,
    rank: number,
    claims: Float32Array | null,
  ): void;
  /** out[rows[i]] = values[i] where (step, rank) holds the claim; `claims` null: everywhere */
  writeClaimedRows(
    numRows: number,
    count: number,
    rows: Int32Array,
    step: number,
    rank: number,
    claims: Float32Array | null,
    dim: number,
    values: Float32Array,
    out: Float32Array,
  ): void;
  /** Weighted sums of CSR rows over a block's edges (null: weights of 1, no self term), as CSR rows [numDst, dim] */
  sumCsrRows(
    block: NativeBlock,
    dim: number,
    edgeWeights: Float32Array | null,
    selfWeights: Float32Array | null,
    indptr: Int32Array,
    indices: Int32Array,
    values: Float32Array,
  ): CsrRows;
}
