import { cscFromCoo } from "../../graph/csc-from-coo.ts";
import type { DatasetSpec } from "../dataset-spec.ts";
import { int64At, int64Words, setInt64 } from "../int64.ts";
import type { EdgeRows } from "./read-edges.ts";

/** The stored graph: in-edge CSC, and the row of the edges files that each stored edge came from. */
export interface StoredEdges {
  readonly indptr: BigInt64Array;
  readonly indices: Int32Array;
  readonly rows: Uint32Array;
  /** Rows that repeat an earlier one. */
  readonly duplicateEdges: number;
  /** The first such row (by position among the edges kept while reading), or -1. */
  readonly firstDuplicate: number;
}

/**
 * Stores edge rows as in-edge CSC. Undirected: rows 0 → 1 and 1 → 0 are the same pair; each pair is stored in both
 * directions, a self-loop once. Of repeated edges (same pair and type) the first row stays, unless `duplicates` is `keep`.
 */
export async function storeEdges(edges: EdgeRows, numNodes: number, spec: DatasetSpec): Promise<StoredEdges> {
  const { src, dst, rows } = spec.directed ? oneDirection(edges) : bothDirections(edges);
  // With types, repeats are told apart after sorting: the native pass looks at src and dst alone.
  const native = spec.duplicates === "keep" || edges.types ? "keep" : "drop";
  const csc = await cscFromCoo(src, dst, numNodes, { duplicates: native });
  const rowOf = rows ? csc.edgeIds.map((position) => rows[position]!) : csc.edgeIds;
  const sorted = { indptr: csc.indptr, indices: csc.indices, rows: rowOf };
  const stored = edges.types && spec.duplicates !== "keep" ? dropRepeatedTypes(sorted, edges.types) : sorted;
  return { ...stored, ...duplicatesOf(edges, spec, stored.rows) };
}

interface Directed {
  readonly src: Int32Array;
  readonly dst: Int32Array;
  /** Row of each position; null when position = row. */
  readonly rows: Uint32Array | null;
}

function oneDirection({ src, dst }: EdgeRows): Directed {
  return { src, dst, rows: null };
}

/** Row i becomes two neighbouring positions, so that in both directions the same row of a repeated pair comes first. */
function bothDirections(edges: EdgeRows): Directed {
  const numRows = edges.src.length;
  const src = new Int32Array(numRows * 2);
  const dst = new Int32Array(numRows * 2);
  const rows = new Uint32Array(numRows * 2);
  let end = 0;
  for (let row = 0; row < numRows; row++) {
    const from = edges.src[row]!;
    const to = edges.dst[row]!;
    src[end] = from;
    dst[end] = to;
    rows[end++] = row;
    if (from === to) continue;
    src[end] = to;
    dst[end] = from;
    rows[end++] = row;
  }
  return { src: src.subarray(0, end), dst: dst.subarray(0, end), rows };
}

interface Sorted {
  readonly indptr: BigInt64Array;
  readonly indices: Int32Array;
  readonly rows: Uint32Array;
}

/** Keeps the first of the edges with equal src, dst and type; the arrays are compacted in place. */
function dropRepeatedTypes({ indptr, indices, rows }: Sorted, types: Int32Array): Sorted {
  const offsets = int64Words(indptr);
  const seen = new Set<number>();
  let end = 0;
  let next = 0;
  for (let column = 0; column + 1 < indptr.length; column++) {
    const stop = int64At(offsets, column + 1);
    let previous = -1;
    for (; next < stop; next++) {
      if (indices[next] !== previous) seen.clear();
      previous = indices[next]!;
      const type = types[rows[next]!]!;
      if (seen.has(type)) continue;
      seen.add(type);
      indices[end] = previous;
      rows[end++] = rows[next]!;
    }
    setInt64(offsets, column + 1, end);
  }
  return { indptr, indices: indices.subarray(0, end), rows: rows.subarray(0, end) };
}

function duplicatesOf(edges: EdgeRows, spec: DatasetSpec, kept: Uint32Array) {
  if (spec.duplicates === "keep") return { duplicateEdges: 0, firstDuplicate: -1 };
  const isKept = new Uint8Array(edges.src.length);
  for (const row of kept) isKept[row] = 1;
  const firstDuplicate = isKept.indexOf(0);
  let duplicateEdges = 0;
  for (const flag of isKept) duplicateEdges += 1 - flag;
  return { duplicateEdges, firstDuplicate };
}
