import { int64At, int64Words } from "../io/int64.ts";

/** Stored edges with the relation of each, as in-edge CSC whose columns are sorted by src. */
export interface RelationEdges {
  readonly indptr: BigInt64Array;
  readonly indices: Int32Array;
  /** int32 [edges]; null: edges are all alike, and none has a relation */
  readonly types: Int32Array | null;
  /** false: u → v and v → u are one link */
  readonly directed: boolean;
}

/** Looks up which relations join two nodes, ascending, each once; of an undirected graph those of both directions. */
export function relationsBetween({
  indptr,
  indices,
  types,
  directed,
}: RelationEdges): (src: number, dst: number) => readonly number[] {
  if (!types) return () => [];
  const offsets = int64Words(indptr);
  const collect = (src: number, dst: number, found: Set<number>) => {
    let low = int64At(offsets, dst);
    let high = int64At(offsets, dst + 1);
    const end = high;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if ((indices[middle] as number) < src) low = middle + 1;
      else high = middle;
    }
    for (let edge = low; edge < end && indices[edge] === src; edge++) found.add(types[edge] as number);
  };
  return (src, dst) => {
    const found = new Set<number>();
    collect(src, dst, found);
    if (!directed) collect(dst, src, found);
    return [...found].toSorted((a, b) => a - b);
  };
}
