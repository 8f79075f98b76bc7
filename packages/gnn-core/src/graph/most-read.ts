import type { CscGraph } from "./csc-graph.ts";

/** int32 [numNodes]: of how many nodes each is an in-neighbour, and so how often batches come to read its row. */
export function timesRead({ numNodes, parts }: CscGraph): Int32Array {
  const counts = new Int32Array(numNodes);
  for (const { indices } of parts) {
    for (let e = 0; e < indices.length; e++) {
      const node = indices[e] as number;
      counts[node] = (counts[node] as number) + 1;
    }
  }
  return counts;
}

/** GlobalIds of the `count` nodes that are read most, ascending; of equal ones the first. */
export function mostRead(counts: Int32Array, count: number): Int32Array {
  let most = 0;
  for (const times of counts) most = Math.max(most, times);
  const numWith = new Int32Array(most + 1);
  for (const times of counts) numWith[times] = (numWith[times] as number) + 1;
  let least = most;
  let above = 0;
  while (least > 0 && above + (numWith[least] as number) <= count) above += numWith[least--] as number;
  const taken = new Int32Array(Math.min(count, counts.length));
  let [length, left] = [0, taken.length - above];
  for (let node = 0; node < counts.length && length < taken.length; node++) {
    const times = counts[node] as number;
    if (times > least || (times === least && left-- > 0)) taken[length++] = node;
  }
  return taken;
}
