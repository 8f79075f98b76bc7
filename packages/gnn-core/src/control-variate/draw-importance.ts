import type { Block } from "../graph/block.ts";
import type { CscGraph } from "../graph/csc-graph.ts";
import type { Sampler } from "../sampling/sampler.ts";
import { inDegrees } from "../sampling/with-degrees.ts";

/**
 * The sampler's blocks with the importance |N(v)|/|N̂(v)| of each edge. Models would otherwise take the share of the
 * edge weights that were drawn, which is itself random: of a graph with weights the estimate would be biased.
 */
export function withDrawImportance(sampler: Sampler, graph: CscGraph): Sampler {
  const unweighted = { ...graph, parts: graph.parts.map((part) => ({ ...part, weights: null })) };
  return {
    ...sampler,
    async sample(seeds, key, signal) {
      const blocks = await sampler.sample(seeds, key, signal);
      const [first] = blocks;
      if (!first) return blocks;
      const numEdges = await inDegrees(unweighted, first.srcIds);
      return blocks.map((block) => ({ ...block, importance: importanceOf(block, numEdges) }));
    },
  };
}

/** @param numInEdges of every src row in the whole graph */
function importanceOf({ numDst, indptr, indices }: Block, numInEdges: Float32Array) {
  const sum = new Float32Array(indices.length);
  const mean = new Float32Array(indices.length);
  for (let dst = 0; dst < numDst; dst++) {
    const begin = indptr[dst] as number;
    const end = indptr[dst + 1] as number;
    sum.fill((numInEdges[dst] as number) / (end - begin), begin, end);
    mean.fill(1 / (end - begin), begin, end);
  }
  return { sum, mean };
}
