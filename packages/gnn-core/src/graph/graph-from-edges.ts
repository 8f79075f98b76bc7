import { GnnError } from "../errors/gnn-error.ts";
import { cscFromCoo } from "./csc-from-coo.ts";
import type { CscGraph } from "./csc-graph.ts";

export interface EdgeList {
  /** Node ids 0, 1, 2 …; src[i] → dst[i] */
  readonly src: Int32Array | readonly number[];
  readonly dst: Int32Array | readonly number[];
  /** Default: largest id + 1 */
  readonly numNodes?: number;
  readonly weights?: Float32Array | readonly number[];
  /** `false` adds the opposite of every edge (of a self-loop not). Default `true`. */
  readonly directed?: boolean;
  /** `drop` (the default) keeps the first of equal edges. */
  readonly duplicates?: "drop" | "keep";
  /** Default `keep`. */
  readonly selfLoops?: "keep" | "drop";
}

/**
 * An in-memory graph of one part from an edge list; GlobalId = NodeIndex = the ids given.
 *
 *   const graph = await graphFromEdges({ src: [0, 1], dst: [2, 2] }); // 0 → 2 ← 1
 *
 * @throws GnnError SHAPE_MISMATCH on unequal lengths, DATASET_NODE_UNKNOWN on an id outside [0, numNodes)
 */
export async function graphFromEdges(edges: EdgeList): Promise<CscGraph> {
  const weights = edges.weights ? Float32Array.from(edges.weights) : null;
  if (weights && weights.length !== edges.src.length) {
    throw new GnnError("SHAPE_MISMATCH", `${weights.length} weights for ${edges.src.length} edges; give one per edge.`);
  }
  const rows = edges.directed === false ? bothDirections(edges) : { ...toInt32(edges), row: null };
  const numNodes = edges.numNodes ?? numNodesOf(rows.src, rows.dst);
  const csc = await cscFromCoo(rows.src, rows.dst, numNodes, {
    duplicates: edges.duplicates ?? "drop",
    selfLoops: edges.selfLoops ?? "keep",
  });
  const rowOf = (edge: number) => (rows.row ? rows.row[edge]! : edge);
  return {
    device: "cpu",
    numNodes,
    numEdges: csc.indices.length,
    parts: [
      {
        firstNode: 0,
        numNodes,
        indptr: csc.indptr,
        indices: csc.indices,
        weights: weights && Float32Array.from(csc.edgeIds, (edge: number) => weights[rowOf(edge)]!),
      },
    ],
  };
}

function toInt32({ src, dst }: EdgeList): { src: Int32Array; dst: Int32Array } {
  return { src: Int32Array.from(src), dst: Int32Array.from(dst) };
}

/** Every row, followed by every row that is not a self-loop turned around. `row` is the row each came from. */
function bothDirections(edges: EdgeList): { src: Int32Array; dst: Int32Array; row: Int32Array } {
  const { src, dst } = toInt32(edges);
  const numRows = src.length;
  const turned = Int32Array.from(src.keys()).filter((i) => src[i] !== dst[i]);
  const row = new Int32Array(numRows + turned.length);
  for (let i = 0; i < numRows; i++) row[i] = i;
  row.set(turned, numRows);
  return {
    src: row.map((from, i) => (i < numRows ? src[from]! : dst[from]!)),
    dst: row.map((from, i) => (i < numRows ? dst[from]! : src[from]!)),
    row,
  };
}

function numNodesOf(src: Int32Array, dst: Int32Array): number {
  let largest = -1;
  for (const id of src) largest = Math.max(largest, id);
  for (const id of dst) largest = Math.max(largest, id);
  return largest + 1;
}
