import { loadAddon } from "../backends/native/addon.ts";
import { native } from "../backends/native/native-error.ts";
import { GnnError } from "../errors/gnn-error.ts";
import type { CscGraph } from "../graph/csc-graph.ts";
import { nativeGraph } from "../graph/native-graph.ts";
import { withReverse } from "../graph/reverse-edges.ts";
import { onePerHop } from "./fanouts.ts";
import { createPartitionedRelationSampler } from "./partitioned-relations.ts";
import type { Sampler } from "./sampler.ts";

export interface RelationSamplerOptions {
  readonly graph: CscGraph;
  /** In-neighbours of each relation, one number per hop, the first from the seeds; -1 = all */
  readonly fanouts: readonly number[];
  /** Other numbers for single relations, by their names */
  readonly relationFanouts: Readonly<Record<string, readonly number[]>>;
  readonly replace: boolean;
  readonly seed: number;
}

/**
 * Neighbour sampling with a fanout per relation and hop: a node's in-neighbours of one relation are a slice of its
 * column. Draws depend on (seed, epoch, step, hop, relation, GlobalId) alone, so that those of one relation stay the
 * same whatever is drawn of the others, and whichever rank draws. DGL: NeighborSampler with a dictionary of fanouts.
 *
 * @throws GnnError SPEC_INVALID at the option for a graph without relations or fanouts of one that it does not have;
 * (from `sample`) SHAPE_MISMATCH for a seed outside the graph, DATASET_TOO_LARGE at 2^31 edges
 */
export function createRelationSampler(options: RelationSamplerOptions): Sampler {
  const { graph, replace, seed } = options;
  const { relations = [] } = graph;
  if (relations.length === 0) {
    throw refused("perRelation", "the graph has one type of edge; leave perRelation out.");
  }
  const fanouts = fanoutsOf(options, relations);
  if (graph.remote) {
    const { remote } = graph;
    const numRelations = relations.length;
    return createPartitionedRelationSampler({ graph, remote, fanouts, numRelations, replace, seed });
  }
  const handle = nativeGraph(graph);
  return {
    async sample(seeds, { epoch, step }, signal) {
      signal?.throwIfAborted();
      const numRelations = relations.length;
      const blocks = await native(() =>
        loadAddon().sampleRelationBlocks(handle, seeds, fanouts, numRelations, replace, seed, epoch, step),
      );
      return blocks.map(withReverse);
    },
  };
}

/** [hops, relations] */
function fanoutsOf({ fanouts, relationFanouts }: RelationSamplerOptions, relations: readonly string[]): Int32Array {
  for (const [name, own] of Object.entries(relationFanouts)) {
    const option = `relationFanouts/${name}`;
    if (!relations.includes(name)) {
      throw refused(option, `the graph has no relation "${name}"; it has ${relations.join(", ")}.`);
    }
    const objection = onePerHop(option, own, fanouts.length);
    if (objection) throw refused(option, objection.message);
  }
  return Int32Array.from(
    fanouts.flatMap((fanout, hop) => relations.map((name) => relationFanouts[name]?.[hop] ?? fanout)),
  );
}

function refused(option: string, found: string): GnnError {
  const pointer = `/sampling/options/${option}`;
  return new GnnError("SPEC_INVALID", `${pointer}: ${found}`, { place: { pointer } });
}
