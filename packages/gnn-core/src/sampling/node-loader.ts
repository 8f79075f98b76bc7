import type { FeatureStore } from "../features/feature-store.ts";
import type { MiniBatch } from "./mini-batch.ts";
import type { BatchKey, Sampler } from "./sampler.ts";

export interface SeedBatch extends BatchKey {
  /** GlobalIds; may be empty: such a rank still takes part in the step */
  readonly seeds: Int32Array;
}

export interface NodeLoaderOptions {
  readonly sampler: Sampler;
  readonly features: FeatureStore | null;
  /** Class by GlobalId */
  readonly labels: Int32Array | null;
  readonly batches: Iterable<SeedBatch>;
  /** Batches in flight while one is consumed; each occupies one sampler thread. Default 2. */
  readonly prefetch?: number;
  readonly signal?: AbortSignal;
}

/**
 * Makes mini-batches ahead of their consumer, in the order of `batches` whatever finishes first.
 *
 *   for await (const batch of new NodeLoader({ sampler, features, labels, batches })) step(batch);
 */
export class NodeLoader implements AsyncIterable<MiniBatch> {
  readonly #options: NodeLoaderOptions;

  constructor(options: NodeLoaderOptions) {
    this.#options = options;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<MiniBatch, void, undefined> {
    const { batches, prefetch = 2, signal } = this.#options;
    const source = batches[Symbol.iterator]();
    const inFlight: Promise<MiniBatch>[] = [];
    const startNext = () => {
      const next = source.next();
      if (next.done) return;
      const batch = this.#load(next.value);
      // A failure behind the batch being consumed is reported when its turn comes, not as unhandled.
      batch.catch(() => {});
      inFlight.push(batch);
    };
    try {
      for (let i = 0; i < Math.max(1, prefetch); i++) startNext();
      for (let next = inFlight.shift(); next; next = inFlight.shift()) {
        signal?.throwIfAborted();
        const batch = await next;
        startNext();
        yield batch;
      }
    } finally {
      source.return?.();
      await Promise.allSettled(inFlight);
    }
  }

  async #load({ seeds, epoch, step }: SeedBatch): Promise<MiniBatch> {
    const { sampler, features, labels, signal } = this.#options;
    const startedAt = performance.now();
    const blocks = await sampler.sample(seeds, { epoch, step }, signal);
    const sampledAt = performance.now();
    const inputNodes = blocks[0]?.srcIds ?? seeds;
    const rows = features && (await features.gatherAsync(inputNodes));
    return {
      epoch,
      step,
      seeds,
      blocks,
      inputNodes,
      features: rows,
      labels: labels && seeds.map((seed) => labels[seed]!),
      sampleMs: sampledAt - startedAt,
      gatherMs: performance.now() - sampledAt,
    };
  }
}
