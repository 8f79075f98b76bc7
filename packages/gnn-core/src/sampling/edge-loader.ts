import type { CscGraph } from "../graph/csc-graph.ts";
import type { NodePairs } from "../links/node-pairs.ts";
import type { MiniBatch } from "./mini-batch.ts";
import { NodeLoader, type NodeLoaderOptions } from "./node-loader.ts";
import type { BatchKey, Sampler } from "./sampler.ts";
import { partnersOf, withoutEdges } from "./without-edges.ts";

/** The pairs that one rank scores in one step. */
export interface EdgeBatch extends BatchKey {
  /** Seeds of the step: may be empty, and such a rank still takes part in it */
  readonly pairs: NodePairs;
  /** Edges that carry no message in this step, nor do their reverses: the links of all ranks' pairs */
  readonly without: NodePairs;
}

/** A mini-batch of the nodes that some pairs have as ends, each once. */
export interface EdgeMiniBatch extends MiniBatch {
  /** The row of `seeds` that each pair has as its source, int32 [pairs] */
  readonly srcRows: Int32Array;
  /** The row of `seeds` that each pair has as its target */
  readonly dstRows: Int32Array;
}

export type EdgeLoaderOptions = Omit<NodeLoaderOptions, "batches" | "labels"> & {
  /** What the sampler draws from: edges of a step are taken out of it */
  readonly graph: CscGraph;
  readonly batches: Iterable<EdgeBatch>;
};

type Ends = Pick<EdgeMiniBatch, "srcRows" | "dstRows">;

/**
 * Makes mini-batches of pairs ahead of their consumer: `NodeLoader` over the distinct ends of each batch's pairs, with
 * the batch's own links taken out of the blocks (`withoutEdges`).
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
    function* seedBatches() {
      for (const { pairs, without, epoch, step } of batches) {
        const { seeds, ...rows } = distinctEnds(pairs);
        ends.set(nameOf({ epoch, step }), rows);
        hidden.set(nameOf({ epoch, step }), without);
        yield { seeds, epoch, step };
      }
    }
    const hiding: Sampler = {
      ...sampler,
      async sample(seeds, key, signal) {
        const blocks = await sampler.sample(seeds, key, signal);
        const partners = partnersOf(take(hidden, key));
        return withoutEdges(blocks, partners, graph);
      },
    };
    const loader = new NodeLoader({ ...options, sampler: hiding, labels: null, batches: seedBatches() });
    for await (const batch of loader) yield { ...batch, ...take(ends, batch) };
  }
}

/** The distinct ends of pairs, ascending, and where each pair's ends are among them. */
export function distinctEnds({ src, dst }: NodePairs): Ends & { readonly seeds: Int32Array } {
  const seeds = Int32Array.from(new Set([...src, ...dst])).toSorted();
  const rowOf = new Map(Array.from(seeds, (node, row) => [node, row]));
  const rowsOf = (nodes: Int32Array) => nodes.map((node) => rowOf.get(node) as number);
  return { seeds, srcRows: rowsOf(src), dstRows: rowsOf(dst) };
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
