import { int64At, int64Words } from "../int64.ts";
import type { GraphInfo } from "./ingest-report.ts";

/** Nodes with no edge in or out, and how the in-degrees are distributed over 0, 1, 2-3, 4-7, … */
export function measureDegrees(
  indptr: BigInt64Array,
  indices: Int32Array,
): { isolatedNodes: number; degreeHistogram: GraphInfo["degreeHistogram"] } {
  const numNodes = indptr.length - 1;
  const offsets = int64Words(indptr);
  const hasEdge = new Uint8Array(numNodes);
  for (let edge = 0; edge < indices.length; edge++) hasEdge[indices[edge]!] = 1;
  const counts: number[] = [];
  let isolatedNodes = 0;
  for (let node = 0; node < numNodes; node++) {
    const degree = int64At(offsets, node + 1) - int64At(offsets, node);
    isolatedNodes += degree === 0 && hasEdge[node] === 0 ? 1 : 0;
    const bin = degree === 0 ? 0 : Math.floor(Math.log2(degree)) + 1;
    while (counts.length <= bin) counts.push(0);
    counts[bin] = counts[bin]! + 1;
  }
  const edges = [0, ...Array.from(counts, (_, bin) => 2 ** bin)];
  return { isolatedNodes, degreeHistogram: { edges, counts } };
}
