import { int64At, int64Words } from "../int64.ts";
import type { GraphInfo } from "./ingest-report.ts";

/**
 * How often edges join nodes of one class: counted over the stored edges that join two different labelled nodes.
 *
 * @param labels class index of each node, -1 = unlabelled
 * @returns null when no edge joins two labelled nodes
 */
export function measureHomophily(
  indptr: BigInt64Array,
  indices: Int32Array,
  labels: Int32Array,
  numClasses: number,
): GraphInfo["homophily"] {
  const offsets = int64Words(indptr);
  const ends = new Float64Array(numClasses);
  let edges = 0;
  let same = 0;
  for (let dst = 0; dst < labels.length; dst++) {
    const label = labels[dst]!;
    if (label < 0) continue;
    for (let edge = int64At(offsets, dst); edge < int64At(offsets, dst + 1); edge++) {
      const src = indices[edge]!;
      const other = labels[src]!;
      if (other < 0 || src === dst) continue;
      edges++;
      same += other === label ? 1 : 0;
      ends[label]! += 1;
      ends[other]! += 1;
    }
  }
  if (edges === 0) return null;
  // The whole numbers are added up exactly, so the only rounding is that of the shares.
  const expected = ends.reduce((sum, count) => sum + (count / (2 * edges)) ** 2, 0);
  return { edges, same, expected };
}
