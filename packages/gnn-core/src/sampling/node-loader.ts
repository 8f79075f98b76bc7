import { setImmediate as nextTurn } from "node:timers/promises";
import type { FeatureStore } from "../features/feature-store.ts";
import { batchBytes } from "./batch-bytes.ts";
import type { MiniBatch } from "./mini-batch.ts";
import { releaseBatch } from "./release-batch.ts";
import type { BatchKey, Sampler } from "./sampler.ts";

export interface SeedBatch extends BatchKey {
  /** GlobalIds; may be empty: such a rank still takes part in the step */
  readonly seeds: Int32Array;
}

export interface NodeLoaderOptions {
  /** `concurrency`: batches that may well be asked for at a time, where other processes draw them (`remoteSampler`) */
  readonly sampler: Sampler & { readonly concurrency?: number };
  readonly features: FeatureStore | null;
  /** Class by GlobalId */
  readonly labels: Int32Array | null;
  readonly batches: Iterable<SeedBatch>;
  /**
   * Batches made at a time, each by a thread of libuv's pool, which has 4 unless UV_THREADPOOL_SIZE says otherwise; at
   * least the sampler's `concurrency`. Default: `prefetch`
   */
  readonly threads?: number;
  /** Batches in the making or ready while one is consumed. Default: one more than `threads`, or 2 */
  readonly prefetch?: number;
  /**
   * Most bytes of the batches ahead, judged by the largest so far; one is always made. The first of a loader is made
   * alone, to be measured. Default: no such bound
   */
  readonly maxBytes?: number;
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
    const { signal } = this.#options;
    const queue = new BatchQueue(this.#options, (batch) => this.#load(batch));
    try {
      for (;;) {
        signal?.throwIfAborted();
        const next = queue.next();
        if (!next) return;
        const batch = await next;
        queue.fill();
        // Some batches are made without waiting; timers, messages and the release of native memory get their turn here.
        await nextTurn();
        yield batch;
      }
    } finally {
      await queue.close();
    }
  }

  async #load({ seeds, epoch, step }: SeedBatch): Promise<MiniBatch> {
    const { sampler, features, labels, signal } = this.#options;
    const startedAt = performance.now();
    const blocks = await sampler.sample(seeds, { epoch, step }, signal);
    await sampler.arrange?.(blocks);
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

/** The batches ahead of the consumer: how many may be made at a time, and how many may wait. */
class BatchQueue {
  readonly #source: Iterator<SeedBatch>;
  readonly #load: (batch: SeedBatch) => Promise<MiniBatch>;
  readonly #bounds: { readonly threads: number; readonly prefetch: number; readonly maxBytes: number };
  readonly #ahead: Promise<MiniBatch>[] = [];
  #making = 0;
  #largestBytes: number | null = null;
  #isClosed = false;

  constructor(options: NodeLoaderOptions, load: (batch: SeedBatch) => Promise<MiniBatch>) {
    const { maxBytes = Number.POSITIVE_INFINITY } = options;
    const threads = threadsOf(options);
    const prefetch = Math.max(1, options.prefetch ?? (threads === undefined ? 2 : threads + 1));
    this.#bounds = { threads: Math.max(1, threads ?? prefetch), prefetch, maxBytes };
    this.#source = options.batches[Symbol.iterator]();
    this.#load = load;
    this.fill();
  }

  /** Starts what the bounds allow. */
  fill(): void {
    while (!this.#isClosed && this.#mayStart()) {
      const next = this.#source.next();
      if (next.done) this.#isClosed = true;
      else this.#start(next.value);
    }
  }

  /** The batch whose turn it is; undefined after the last one. */
  next(): Promise<MiniBatch> | undefined {
    if (this.#ahead.length === 0) this.fill();
    return this.#ahead.shift();
  }

  /** Asks for no more batches, waits for those in the making and gives back the memory of all that nobody took. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#source.return?.();
    for (const made of await Promise.allSettled(this.#ahead)) if (made.status === "fulfilled") releaseBatch(made.value);
  }

  #mayStart(): boolean {
    const { threads, prefetch, maxBytes } = this.#bounds;
    if (this.#ahead.length === 0) return this.#making < threads;
    const bytes = (this.#largestBytes ?? Number.POSITIVE_INFINITY) * (this.#ahead.length + 1);
    const fits = maxBytes === Number.POSITIVE_INFINITY || bytes <= maxBytes;
    return this.#making < threads && this.#ahead.length < prefetch && fits;
  }

  #start(seeds: SeedBatch): void {
    const batch = this.#make(seeds);
    // A failure behind the batch being consumed is reported when its turn comes, not as unhandled.
    batch.catch(() => {});
    this.#ahead.push(batch);
  }

  async #make(seeds: SeedBatch): Promise<MiniBatch> {
    this.#making += 1;
    try {
      const batch = await this.#load(seeds);
      this.#largestBytes = Math.max(this.#largestBytes ?? 0, batchBytes(batch));
      return batch;
    } finally {
      this.#making -= 1;
      this.fill();
    }
  }
}

function threadsOf({ threads, sampler: { concurrency = 0 } }: NodeLoaderOptions): number | undefined {
  return threads === undefined && concurrency === 0 ? undefined : Math.max(threads ?? 0, concurrency);
}
