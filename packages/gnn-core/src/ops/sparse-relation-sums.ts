import type { FeatureRows } from "../features/feature-store.ts";
import type { Block } from "../graph/block.ts";
import type { RelationReduce } from "./relation-conv.ts";

type CsrRows = Extract<FeatureRows, { kind: "csr" }>;

/** The sums that were made last for a block, by its types, which copies of it share. */
const known = new WeakMap<
  Int32Array,
  { readonly of: CsrRows["values"]; readonly reduce: RelationReduce; sums: CsrRows }
>();

/**
 * Sums of sparse rows over a block's edges, of each relation apart: Z_v,(r,k) = reduce{ x_uk : u → v of relation r },
 * so that Σ_r W_r·reduce{ x_u } = Z·W with the weights of all relations below each other. A row keeps the order of its
 * edges; a column may be in it several times.
 *
 * @param x  CSR [block.numSrc, dim], row i belongs to block.srcIds[i]
 * @returns  CSR [block.numDst, numRelations · dim]
 */
export function sparseRelationSums(
  block: TypedBlock,
  x: CsrRows,
  numRelations: number,
  reduce: RelationReduce,
): CsrRows {
  const last = known.get(block.types);
  if (last && last.of === x.values && last.reduce === reduce) return last.sums;
  const sums = sumsOf(block, x, numRelations, reduce === "mean" ? shareOfEdges(block, numRelations) : null);
  known.set(block.types, { of: x.values, reduce, sums });
  return sums;
}

export type TypedBlock = Block & { readonly types: Int32Array };

/**
 * Whether such sums take less than every row by the weights of all relations: they have an entry for each of a row's on
 * each of its edges, which few long rows of a block with many edges have more of. Column numbers have 31 bits.
 */
export function areSumsSmaller({ device, indices, numSrc }: Block, x: CsrRows, numRelations: number): boolean {
  if (device !== "cpu" || numRelations * x.dim >= 2 ** 31) return false;
  const most = numSrc * numRelations;
  let entries = 0;
  for (let e = 0; e < indices.length && entries <= most; e++) entries += lengthOf(x, indices[e]!);
  return entries <= most;
}

function sumsOf(block: TypedBlock, x: CsrRows, numRelations: number, shares: Float32Array | null): CsrRows {
  const { numDst, indptr: edges, indices: sources, types } = block;
  const indptr = new Int32Array(numDst + 1);
  for (let dst = 0; dst < numDst; dst++) {
    let entries = 0;
    for (let e = edges[dst]!; e < edges[dst + 1]!; e++) entries += lengthOf(x, sources[e]!);
    indptr[dst + 1] = indptr[dst]! + entries;
  }
  const indices = new Int32Array(indptr[numDst]!);
  const values = new Float32Array(indices.length);
  for (let e = 0, at = 0; e < sources.length; e++) {
    const [share, column] = [shares ? shares[e]! : 1, types[e]! * x.dim];
    for (let i = x.indptr[sources[e]!]!; i < x.indptr[sources[e]! + 1]!; i++, at++) {
      indices[at] = column + x.indices[i]!;
      values[at] = share * x.values[i]!;
    }
  }
  return { kind: "csr", numRows: numDst, dim: numRelations * x.dim, indptr, indices, values };
}

function lengthOf({ indptr }: CsrRows, row: number): number {
  return indptr[row + 1]! - indptr[row]!;
}

/** 1 / the number of edges of its relation into its dst row, of every edge. */
export function shareOfEdges({ numDst, indptr, types }: TypedBlock, numRelations: number): Float32Array {
  const shares = new Float32Array(types.length);
  const counts = new Int32Array(numRelations);
  for (let dst = 0; dst < numDst; dst++) {
    counts.fill(0);
    for (let e = indptr[dst]!; e < indptr[dst + 1]!; e++) counts[types[e]!]! += 1;
    for (let e = indptr[dst]!; e < indptr[dst + 1]!; e++) shares[e] = 1 / counts[types[e]!]!;
  }
  return shares;
}
