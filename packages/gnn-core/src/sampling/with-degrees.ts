import { loadAddon } from "../backends/native/addon.ts";
import { native } from "../backends/native/native-error.ts";
import type { Block } from "../graph/block.ts";
import type { CscGraph } from "../graph/csc-graph.ts";
import { nativeGraph } from "../graph/native-graph.ts";
import type { Sampler } from "./sampler.ts";

/**
 * In-degree of nodes in the whole graph, whatever part they lie in: the sum of their in-edges' weights, the number of
 * in-edges when the graph has none. Runs on libuv's pool.
 *
 * @param nodes  GlobalIds, int32 [n]
 * @returns      float32 [n]
 * @throws GnnError SHAPE_MISMATCH for a node outside the graph
 */
export async function inDegrees(graph: CscGraph, nodes: Int32Array): Promise<Float32Array> {
  return graph.remote ? graph.remote.inDegrees(nodes) : heldInDegrees(graph, nodes);
}

/** In-degrees of nodes whose in-edges are here */
export async function heldInDegrees(graph: CscGraph, nodes: Int32Array): Promise<Float32Array> {
  return native(() => loadAddon().inDegrees(nativeGraph(graph), nodes));
}

/** The block with the degrees of its src rows. */
export async function attachDegrees(graph: CscGraph, block: Block): Promise<Block> {
  return { ...block, srcDegrees: await inDegrees(graph, block.srcIds) };
}

/**
 * The sampler's blocks with the degrees of their src rows, for models that normalise by degree. The rows of later
 * blocks are the first rows of earlier ones, so one look-up serves all hops.
 */
export function withDegrees(sampler: Sampler, graph: CscGraph): Sampler {
  return {
    ...sampler,
    async sample(seeds, key, signal) {
      const blocks = await sampler.sample(seeds, key, signal);
      const [first] = blocks;
      if (!first || first.srcDegrees) return blocks;
      const degrees = await inDegrees(graph, first.srcIds);
      return blocks.map((block) => ({ ...block, srcDegrees: degrees.subarray(0, block.numSrc) }));
    },
  };
}
