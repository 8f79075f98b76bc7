import { cscFromCoo } from "../../graph/csc-from-coo.ts";
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

/** How rows become stored edges. */
export interface StoreRules {
  readonly duplicates: "drop" | "keep" | "error";
  /** false: rows are read in both directions */
  readonly directed: boolean;
  /** Not directed: the edges that lead back are of types of their own. */
  readonly reverseTypes: boolean;
}

/**
 * Stores edge rows as in-edge CSC. Undirected: rows 0 → 1 and 1 → 0 are the same pair; each pair is stored in both
 * directions, a self-loop once. Of repeated edges (same pair and type) the first row stays, unless `duplicates` is
 * `keep`.
 */
export async function storeEdges(edges: EdgeRows, numNodes: number, rules: StoreRules): Promise<StoredEdges> {
  // With types, repeats are told apart after sorting: the native pass looks at src and dst alone.
  const duplicates = rules.duplicates === "keep" || edges.types ? "keep" : "drop";
  const csc = await cscFromCoo(edges.src, edges.dst, numNodes, { duplicates, bothDirections: !rules.directed });
  const sorted = { indptr: csc.indptr, indices: csc.indices, rows: csc.edgeIds };
  if (rules.duplicates === "keep") return { ...sorted, duplicateEdges: 0, firstDuplicate: -1 };
  if (!edges.types) return { ...sorted, duplicateEdges: csc.numDuplicates, firstDuplicate: csc.firstDuplicate };
  const stored = dropRepeatedTypes(sorted, edges.types, isTurned(edges, rules));
  return { ...stored, ...duplicatesOf(edges, stored.rows) };
}

interface Sorted {
  readonly indptr: BigInt64Array;
  readonly indices: Int32Array;
  readonly rows: Uint32Array;
}

/**
 * Whether a stored edge from `src` leads back along its row and is therefore of a type of its own; a self-loop is not.
 */
export function isTurned(edges: EdgeRows, { reverseTypes }: StoreRules): (src: number, row: number) => boolean {
  return (src, row) => reverseTypes && edges.src[row] !== src;
}

/** Keeps the first of the edges with equal src, dst and type; the arrays are compacted in place. */
function dropRepeatedTypes(
  { indptr, indices, rows }: Sorted,
  types: Int32Array,
  leadsBack: (src: number, row: number) => boolean,
): Sorted {
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
      const type = 2 * types[rows[next]!]! + Number(leadsBack(previous, rows[next]!));
      if (seen.has(type)) continue;
      seen.add(type);
      indices[end] = previous;
      rows[end++] = rows[next]!;
    }
    setInt64(offsets, column + 1, end);
  }
  return { indptr, indices: indices.subarray(0, end), rows: rows.subarray(0, end) };
}

function duplicatesOf(edges: EdgeRows, kept: Uint32Array) {
  const isKept = new Uint8Array(edges.src.length);
  for (let i = 0; i < kept.length; i++) isKept[kept[i]!] = 1;
  const firstDuplicate = isKept.indexOf(0);
  let duplicateEdges = 0;
  for (let row = 0; row < edges.numGiven; row++) duplicateEdges += 1 - isKept[row]!;
  return { duplicateEdges, firstDuplicate };
}
