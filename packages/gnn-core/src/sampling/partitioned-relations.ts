import { loadAddon } from "../backends/native/addon.ts";
import { native, nativeSync } from "../backends/native/native-error.ts";
import type { Block } from "../graph/block.ts";
import type { CscGraph, DrawKey, DrawnLists, RemoteGraph } from "../graph/csc-graph.ts";
import { nativeGraph } from "../graph/native-graph.ts";
import { withReverse } from "../graph/reverse-edges.ts";
import type { Sampler } from "./sampler.ts";

export interface PartitionedRelationOptions {
  readonly graph: CscGraph;
  readonly remote: RemoteGraph;
  /** int32 [hops, relations] */
  readonly fanouts: Int32Array;
  readonly numRelations: number;
  readonly replace: boolean;
  readonly seed: number;
}

/**
 * The sampler with a fanout per relation where some nodes' in-edges lie with other ranks: in each hop their owners draw
 * from the slice of each relation, in a request for each relation that is drawn from, all of them at once. Draws are
 * keyed as those from the whole graph, so the blocks have their bits.
 */
export function createPartitionedRelationSampler(options: PartitionedRelationOptions): Sampler {
  const { graph, remote, fanouts, numRelations, replace, seed } = options;
  const handle = nativeGraph(graph);
  const sampleHop = async (nodes: Int32Array, key: DrawKey): Promise<Block> => {
    const { hop, epoch, step } = key;
    const own = fanouts.subarray(hop * numRelations, (hop + 1) * numRelations);
    const total = own.some((fanout) => fanout < 0) ? -1 : own.reduce((sum, fanout) => sum + fanout, 0);
    const foreign = nativeSync(() => loadAddon().foreignNodes(handle, nodes));
    const asked = foreign.length > 0 ? [...own.keys()].filter((relation) => own[relation] !== 0) : [];
    const lists = await Promise.all(
      asked.map((relation) =>
        remote.drawInEdges(foreign, { ...key, fanout: own[relation] as number, replace, relation }),
      ),
    );
    const { indptr, entries, values, types } = sideBySide(lists, foreign.length);
    const block = await native(() =>
      loadAddon().sampleHop(handle, nodes, total, replace, own, indptr, entries, values, types, hop, seed, epoch, step),
    );
    return withReverse(block);
  };
  return {
    async sample(seeds, key, signal) {
      const blocks: Block[] = [];
      let nodes = seeds;
      for (let hop = 0; hop < fanouts.length / numRelations; hop++) {
        signal?.throwIfAborted();
        const block = await sampleHop(nodes, { seed, hop, ...key });
        blocks.unshift(block);
        nodes = block.srcIds;
      }
      return blocks;
    },
  };
}

/** The lists of each node one after the other, in the order of relations, as a column has them. */
function sideBySide(lists: readonly DrawnLists[], numNodes: number) {
  const numEntries = lists.reduce((sum, { entries }) => sum + entries.length, 0);
  const indptr = new Int32Array(numNodes + 1);
  const entries = new Int32Array(numEntries);
  const types = new Int32Array(numEntries);
  const values = lists.every((drawn) => drawn.values !== null) ? new Float32Array(numEntries) : null;
  let end = 0;
  for (let node = 0; node < numNodes; node++) {
    for (const drawn of lists) {
      const [first, last] = [drawn.indptr[node] as number, drawn.indptr[node + 1] as number];
      for (let e = first; e < last; e++, end++) {
        entries[end] = drawn.entries[e] as number;
        types[end] = drawn.types?.[e] ?? 0;
        if (values) values[end] = drawn.values?.[e] as number;
      }
    }
    indptr[node + 1] = end;
  }
  return { indptr, entries, values, types };
}
