import { loadAddon } from "../backends/native/addon.ts";
import type { GraphHandle } from "../backends/native/graph-addon.ts";
import { native, nativeSync } from "../backends/native/native-error.ts";
import type { Block } from "../graph/block.ts";
import type { DrawnLists, ListDraw, RemoteGraph } from "../graph/csc-graph.ts";
import { nativeGraph } from "../graph/native-graph.ts";
import { withReverse } from "../graph/reverse-edges.ts";
import type { BlockSamplerOptions } from "./block-sampler.ts";
import type { Sampler } from "./sampler.ts";

const nothing: DrawnLists = { indptr: new Int32Array(1), entries: new Int32Array(0), values: new Float32Array(0) };

/**
 * The neighbour sampler where some nodes' in-edges lie with other ranks: in each hop the owners draw for the nodes that
 * are theirs, in one request to each, and the rest is drawn here on libuv's pool. Draws depend on (seed, epoch, step,
 * hop, GlobalId) alone, so the blocks have the bits of those drawn from the whole graph.
 */
export function createPartitionedSampler({
  graph,
  remote,
  fanouts,
  replace,
  seed,
}: BlockSamplerOptions & { readonly remote: RemoteGraph }): Sampler {
  const handle = nativeGraph(graph);
  return {
    takesAll: fanouts.every((fanout) => fanout < 0),
    async sample(seeds, key, signal) {
      const blocks: Block[] = [];
      let nodes = seeds;
      for (const [hop, fanout] of fanouts.entries()) {
        signal?.throwIfAborted();
        const block = await sampleHop(handle, remote, nodes, { fanout, replace, seed, hop, ...key });
        blocks.unshift(block);
        nodes = block.srcIds;
      }
      return blocks;
    },
  };
}

/** The block into `nodes`. */
export async function sampleHop(
  handle: GraphHandle,
  remote: RemoteGraph,
  nodes: Int32Array,
  draw: ListDraw,
): Promise<Block> {
  const { fanout, replace, hop, seed, epoch, step } = draw;
  const foreign = nativeSync(() => loadAddon().foreignNodes(handle, nodes));
  const drawn = foreign.length > 0 ? await remote.drawInEdges(foreign, draw) : nothing;
  const { indptr, entries, values, types = null } = drawn;
  const block = await native(() =>
    loadAddon().sampleHop(handle, nodes, fanout, replace, null, indptr, entries, values, types, hop, seed, epoch, step),
  );
  return withReverse(block);
}
