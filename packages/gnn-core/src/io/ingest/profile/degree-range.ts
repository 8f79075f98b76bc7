import { int64At, int64Words } from "../../int64.ts";

/** The least, the median (the lower one of two) and the greatest of the in-degrees, counted exactly. */
export function measureDegreeRange(indptr: BigInt64Array): { min: number; median: number; max: number } {
  const numNodes = indptr.length - 1;
  const offsets = int64Words(indptr);
  const degreeOf = (node: number) => int64At(offsets, node + 1) - int64At(offsets, node);
  let max = 0;
  for (let node = 0; node < numNodes; node++) max = Math.max(max, degreeOf(node));
  const counts = new Float64Array(max + 1);
  for (let node = 0; node < numNodes; node++) counts[degreeOf(node)]! += 1;
  const min = Math.max(
    0,
    counts.findIndex((count) => count > 0),
  );
  let below = 0;
  const median = counts.findIndex((count) => {
    below += count;
    return 2 * below >= numNodes;
  });
  return { min, median: Math.max(0, median), max };
}
