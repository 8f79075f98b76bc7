import { cscFromCoo } from "../graph/csc-from-coo.ts";
import type { CscGraph } from "../graph/csc-graph.ts";

/** The graph of both directions of every pair; keys as `distinctPairs` gives them. */
export async function graphFromPairs(numNodes: number, keys: Float64Array): Promise<CscGraph> {
  const count = keys.length;
  const src = new Int32Array(2 * count);
  const dst = new Int32Array(2 * count);
  for (let i = 0; i < count; i++) {
    const low = Math.floor(keys[i]! / numNodes);
    const high = keys[i]! - low * numNodes;
    src[i] = dst[count + i] = low;
    dst[i] = src[count + i] = high;
  }
  const { indptr, indices } = await cscFromCoo(src, dst, numNodes, { duplicates: "keep", selfLoops: "keep" });
  const part = { firstNode: 0, numNodes, indptr, indices, weights: null };
  return { device: "cpu", numNodes, numEdges: indices.length, parts: [part] };
}
