import { graphFromEdges } from "../../../src/graph/graph-from-edges.ts";
import { createBlockSampler } from "../../../src/sampling/block-sampler.ts";

/** Draws from ten nodes in a ring. */
export async function ringSampler() {
  const src = Array.from({ length: 10 }, (_, i) => i);
  const graph = await graphFromEdges({ src, dst: src.map((i) => (i + 1) % 10) });
  return createBlockSampler({ graph, fanouts: [-1, -1], replace: false, seed: 0 });
}
