import type { CscGraph } from "../graph/csc-graph.ts";
import type { NodePairs } from "../links/node-pairs.ts";
import type { MiniBatch } from "./mini-batch.ts";
import { NodeLoader, type NodeLoaderOptions } from "./node-loader.ts";
import type { BatchKey, Sampler } from "./sampler.ts";
import { TimedRows } from "./timed-rows.ts";
import { withoutEdges } from "./without-edges.ts";

/** The pairs that one rank scores in one step. */
export interface EdgeBatch extends BatchKey {
  /** Seeds of the step: may be empty, and such a rank still takes part in it */
  readonly pairs: NodePairs;
  /** Edges that carry no message in this step, nor do their reverses: the links of all ranks' pairs */
  readonly without: NodePairs;
  /** Nodes that are seeds beside the ends of the pairs. Left out: there are none */
  readonly others?: Int32Array;
  /** All nodes of the graph are seeds, and rows are their GlobalIds. Left out: the ends of the pairs alone */
  readonly seedsAll?: boolean;
  /**
   * The time of every pair, for a sampler that draws from before it (`sampleAt`). An edge then carries messages to
   * later pairs alone, so that only pairs that have always been there need `without`. Left out: pairs have no time
   */
  readonly times?: Float64Array;
}

/** A mini-batch of the nodes that some pairs have as ends, each once. */
export interface EdgeMiniBatch extends MiniBatch {
  /** The row of `seeds` that each pair has as its source, int32 [pairs] */
  readonly srcRows: Int32Array;
  /** The row of `seeds` that each pair has as its target */
  readonly dstRows: Int32Array;
  /** The row of `seeds` that each of the batch's other nodes has; left out: it has none */
  readonly otherRows?: Int32Array;
  /** The relation of each pair, where links are told apart by theirs */
  readonly relations?: Int32Array;
}

export type EdgeLoaderOptions = Omit<NodeLoaderOptions, "batches" | "labels"> & {
  /** What the sampler draws from: edges of a step are taken out of it */
  readonly graph: CscGraph;
  readonly batches: Iterable<EdgeBatch>;
};

type Ends = Pick<EdgeMiniBatch, "srcRows" | "dstRows" | "relations" | "otherRows">;

/**
 * Makes mini-batches of pairs ahead of their consumer: `NodeLoader` over the distinct ends of each batch's pairs, with
 * the batch's own links taken out of the blocks (`withoutEdges`). Ends of pairs of several times are rows apart.
 *
 *   for await (const batch of new EdgeLoader({ sampler, graph, features, batches })) step(batch);
 */
export class EdgeLoader implements AsyncIterable<EdgeMiniBatch> {
  readonly #options: EdgeLoaderOptions;

  constructor(options: EdgeLoaderOptions) {
    this.#options = options;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<EdgeMiniBatch, void, undefined> {
    const { graph, batches, sampler, ...options } = this.#options;
    const ends = new Map<string, Ends>();
    const hidden = new Map<string, NodePairs>();
    const known = new Map<string, Float64Array>();
    function* seedBatches() {
      const all = Int32Array.from({ length: graph.numNodes }, (_, node) => node);
      for (const { pairs, others, without, seedsAll, times, epoch, step } of batches) {
        const name = nameOf({ epoch, step });
        const { seeds, seedTimes, ...rows } = times
          ? timedEnds(pairs, times)
          : {
              ...(seedsAll
                ? { seeds: all, srcRows: pairs.src, dstRows: pairs.dst, ...(others && { otherRows: others }) }
                : distinctEnds(pairs, others)),
              seedTimes: null,
            };
        const { relations } = pairs;
        ends.set(name, { ...rows, ...(relations && { relations }) });
        if (seedTimes) known.set(name, seedTimes);
        hidden.set(name, without);
        yield { seeds, epoch, step };
      }
    }
    const hiding: Sampler = {
      ...sampler,
      async sample(seeds, key, signal) {
        const pairs = take(hidden, key);
        if (sampler.sampleAt && known.has(nameOf(key))) {
          return sampler.sampleAt(seeds, take(known, key), pairs, key, signal);
        }
        if (sampler.sampleWithout) return sampler.sampleWithout(seeds, pairs, key, signal);
        return withoutEdges(await sampler.sample(seeds, key, signal), pairs, graph);
      },
    };
    const loader = new NodeLoader({ ...options, sampler: hiding, labels: null, batches: seedBatches() });
    for await (const batch of loader) yield { ...batch, ...take(ends, batch) };
  }
}

/** The distinct ends of pairs and other nodes, ascending, and where each pair's ends and the others are among them. */
export function distinctEnds({ src, dst }: NodePairs, others?: Int32Array): Ends & { readonly seeds: Int32Array } {
  const seeds = Int32Array.from(new Set([...src, ...dst, ...(others ?? [])])).toSorted();
  const rowOf = new Map(Array.from(seeds, (node, row) => [node, row]));
  const rowsOf = (nodes: Int32Array) => nodes.map((node) => rowOf.get(node) as number);
  return { seeds, srcRows: rowsOf(src), dstRows: rowsOf(dst), ...(others && { otherRows: rowsOf(others) }) };
}

/** The distinct ends of pairs at their times, and where each pair's ends are among them. */
export function timedEnds(
  { src, dst }: NodePairs,
  times: Float64Array,
): Ends & { readonly seeds: Int32Array; readonly seedTimes: Float64Array } {
  const rows = new TimedRows(times);
  const rowsOf = (nodes: Int32Array) => nodes.map((node, pair) => rows.rowOf(node, times[pair] as number));
  const ends = { srcRows: rowsOf(src), dstRows: rowsOf(dst) };
  return { ...ends, seeds: rows.nodes(), seedTimes: rows.times() };
}

function nameOf({ epoch, step }: BatchKey): string {
  return `${epoch}:${step}`;
}

function take<T>(from: Map<string, T>, key: BatchKey): T {
  const name = nameOf(key);
  const found = from.get(name) as T;
  from.delete(name);
  return found;
}
