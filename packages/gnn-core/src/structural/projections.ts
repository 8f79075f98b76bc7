import { div, maximum, norm, type Tensor2D } from "../backends/tf.ts";
import { layerwiseInference } from "../infer/layerwise-inference.ts";
import type { StructuralOptions } from "../spec/structural-options.ts";
import { RandomSigns } from "./random-signs.ts";
import { type TakeRows, type WalkParts, walkOf } from "./walk.ts";

/**
 * For hop k = 1 … K the row P_k[v] / ‖P_k[v]‖ with   P_0 = random signs [N, dim],  P_k = D⁻¹ A P_{k−1} / row norms
 * Nodes with overlapping k-hop neighbourhoods get similar rows, since random projection keeps inner products (Johnson
 * and Lindenstrauss 1984); the hops side by side are FastRP's without its fixed weights (Chen et al. 2019,
 * arXiv:1908.11512).
 */
export async function projections(
  { graph, rank, sharedRows, seed, signal }: WalkParts,
  { dim, hops }: StructuralOptions,
  take: TakeRows,
): Promise<void> {
  await layerwiseInference({
    model: walkOf(dim, hops, ofLengthOne),
    graph,
    features: new RandomSigns(graph.numNodes, dim, seed),
    rank,
    signal,
    outputOf: (hop) => (hop === hops - 1 ? null : sharedRows(`structural-${hop}`, graph.numNodes * dim)),
    onChunk: ({ layer, firstNode, rows }) => take(firstNode, rows, layer),
  });
}

function ofLengthOne(rows: Tensor2D): Tensor2D {
  return div<Tensor2D>(rows, maximum(norm(rows, "euclidean", 1, true), 1e-12));
}
