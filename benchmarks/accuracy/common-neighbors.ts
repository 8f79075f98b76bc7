import { join } from "node:path";
import { type HeldOutLinks, type LinkSplit, type NodePairs, pairFigures } from "../../packages/gnn-core/src/index.ts";
import { readNpy } from "../../packages/gnn-core/src/io/npy.ts";
import { loadLinks } from "../../packages/gnn-core/src/links/links-artifact.ts";
import { loadParts } from "../../packages/gnn-core/src/partition/load-parts.ts";
import type { TrainInputs } from "./tables-data.ts";

/** ROC-AUC of the test links of a job by how many neighbours both ends have in common in training: no learning. */
export async function commonNeighborsBaseline({ parts, links }: TrainInputs): Promise<number> {
  if (!parts || !links) throw new Error("Common neighbours are a baseline for rows on links.");
  const nodeMap = (await readNpy(join(parts.dir, "node_map.npy"), "int32")).values;
  const split = await loadLinks(links, loadParts(parts).graph, nodeMap);
  return commonNeighborsAuc(split, split.test);
}

/** @throws Error where no link or no pair is held out */
export function commonNeighborsAuc({ graph }: Pick<LinkSplit, "graph">, held: HeldOutLinks): number {
  const neighbors = Array.from({ length: graph.numNodes }, () => new Set<number>());
  for (const { firstNode, numNodes, indptr, indices } of graph.parts) {
    for (let node = 0; node < numNodes; node++) {
      const column = indices.subarray(Number(indptr[node]), Number(indptr[node + 1]));
      for (const other of column) {
        neighbors[firstNode + node]?.add(other);
        neighbors[other]?.add(firstNode + node);
      }
    }
  }
  const shared = (a = new Set<number>(), b = new Set<number>()) => [...a].filter((node) => b.has(node)).length;
  const scoresOf = ({ src, dst }: NodePairs) =>
    Float32Array.from(src, (from, i) => shared(neighbors[from], neighbors[dst[i] as number]));
  const { auc } = pairFigures(scoresOf(held.positives), scoresOf(held.negatives));
  if (auc === null) throw new Error("No link, or no pair without one, is held out.");
  return auc;
}
