import { EventEmitter, once } from "node:events";
import { describe, expect, test, vi } from "vitest";
import { DenseFeatureStore } from "../../src/features/dense-feature-store.ts";
import type { StoredRows } from "../../src/features/stored-rows.ts";
import { graphFromEdges } from "../../src/graph/graph-from-edges.ts";
import { batchBytes } from "../../src/sampling/batch-bytes.ts";
import { createBlockSampler } from "../../src/sampling/block-sampler.ts";
import { NodeLoader, type SeedBatch } from "../../src/sampling/node-loader.ts";
import type { Sampler } from "../../src/sampling/sampler.ts";
import { turnsDuring } from "../support/turns-during.ts";

const features = new DenseFeatureStore(1, [Float32Array.from({ length: 10 }, (_, i) => i * 100)]);
const labels = Int32Array.from({ length: 10 }, (_, i) => i % 3);

async function ring(): Promise<Sampler> {
  const src = Array.from({ length: 10 }, (_, i) => i);
  const graph = await graphFromEdges({ src, dst: src.map((i) => (i + 1) % 10) });
  return createBlockSampler({ graph, fanouts: [1], replace: false, seed: 0 });
}

function batches(count: number): SeedBatch[] {
  return Array.from({ length: count }, (_, step) => ({ seeds: Int32Array.of(step % 10), epoch: 0, step }));
}

async function collect<T>(source: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of source) all.push(item);
  return all;
}

describe("the node loader", () => {
  test("gives blocks, feature rows of the input nodes and labels of the seeds", async () => {
    const [batch] = await collect(
      new NodeLoader({
        sampler: await ring(),
        features,
        labels,
        batches: [{ seeds: Int32Array.of(4, 8), epoch: 1, step: 7 }],
      }),
    );
    expect(batch).toMatchObject({ epoch: 1, step: 7, seeds: Int32Array.of(4, 8), labels: Int32Array.of(4 % 3, 8 % 3) });
    expect([...batch!.inputNodes]).toEqual([4, 8, 3, 7]);
    expect([...(batch!.features as { values: Float32Array }).values]).toEqual([400, 800, 300, 700]);
  });

  test("keeps the order of the batches when later ones are ready first", async () => {
    const inner = await ring();
    const gate = new EventEmitter();
    const opened = once(gate, "open");
    const sampler: Sampler = {
      async sample(seeds, key, signal) {
        if (key.step === 0) await opened;
        if (key.step === 2) gate.emit("open");
        return inner.sample(seeds, key, signal);
      },
    };
    const loaded = await collect(new NodeLoader({ sampler, features, labels, batches: batches(6), prefetch: 3 }));
    expect(loaded.map(({ step }) => step)).toEqual([0, 1, 2, 3, 4, 5]);
  });

  test("lets timers and messages have their turn between batches that are made without waiting", async () => {
    const blocks = await (await ring()).sample(Int32Array.of(1), { epoch: 0, step: 0 });
    const sampler: Sampler = { sample: async () => blocks };
    const loader = new NodeLoader({ sampler, features: null, labels: null, batches: batches(20) });
    expect(await turnsDuring(() => collect(loader))).toBeGreaterThanOrEqual(20);
  });

  test("has at most `prefetch` batches in flight", async () => {
    const inner = await ring();
    let inFlight = 0;
    let most = 0;
    const sampler: Sampler = {
      async sample(seeds, key) {
        most = Math.max(most, ++inFlight);
        const blocks = await inner.sample(seeds, key);
        inFlight -= 1;
        return blocks;
      },
    };
    await collect(new NodeLoader({ sampler, features: null, labels: null, batches: batches(20), prefetch: 3 }));
    expect(most).toBe(3);
  });

  test("makes at most `threads` batches at a time, and goes on while the consumer is busy", async () => {
    const inner = await ring();
    let making = 0;
    let most = 0;
    let made = 0;
    const sampler: Sampler = {
      async sample(seeds, key) {
        most = Math.max(most, ++making);
        const blocks = await inner.sample(seeds, key);
        making -= 1;
        made += 1;
        return blocks;
      },
    };
    const options = { sampler, features: null, labels: null, batches: batches(20), threads: 2, prefetch: 5 };
    for await (const { step } of new NodeLoader(options)) {
      if (step === 0) await vi.waitFor(() => expect(made).toBe(6)); // the first, and five ahead of its consumer
      expect(made).toBeLessThanOrEqual(step + 6);
    }
    expect(most).toBe(2);
  });

  test("keeps the bytes ahead below a bound, and makes one batch at a time when that is too low for two", async () => {
    const inner = await ring();
    const [first] = await collect(
      new NodeLoader({ sampler: inner, features, labels, batches: batches(1), prefetch: 1 }),
    );
    const bytes = batchBytes(first!);
    const { indptr, indices, srcIds } = first!.blocks[0]!; // its edges by src are made when a gradient walks them
    const arrays = [indptr, indices, srcIds, first!.seeds];
    const { ids } = first!.features as StoredRows; // the values stay in the matrix
    expect(bytes).toBe([...arrays, ids, first!.labels!].reduce((sum, array) => sum + array.byteLength, 0));
    for (const [maxBytes, expected] of [
      [0, 1],
      [bytes * 3, 3],
    ] as const) {
      let asked = 0;
      let consumed = 0;
      let most = 0;
      const sampler: Sampler = {
        sample(seeds, key) {
          most = Math.max(most, ++asked - consumed);
          return inner.sample(seeds, key);
        },
      };
      const options = { sampler, features, labels, batches: batches(12), threads: 4, prefetch: 8, maxBytes };
      for await (const _batch of new NodeLoader(options)) {
        await new Promise(setImmediate); // lets the loader start what it would
        consumed += 1;
      }
      expect(consumed).toBe(12);
      expect(most).toBe(expected + 1); // with the one being consumed
    }
  });

  test("a failing batch fails when its turn comes", async () => {
    const inner = await ring();
    const sampler: Sampler = {
      sample: (seeds, key) => (key.step === 2 ? Promise.reject(new Error("broken")) : inner.sample(seeds, key)),
    };
    const seen: number[] = [];
    const run = async () => {
      for await (const { step } of new NodeLoader({ sampler, features, labels, batches: batches(5), prefetch: 4 }))
        seen.push(step);
    };
    await expect(run()).rejects.toThrow("broken");
    expect(seen).toEqual([0, 1]);
  });

  test("stops at an abort and when its consumer leaves", async () => {
    const controller = new AbortController();
    const options = { sampler: await ring(), features, labels, batches: batches(50) };
    const aborted = async () => {
      for await (const { step } of new NodeLoader({ ...options, signal: controller.signal }))
        if (step === 1) controller.abort();
    };
    await expect(aborted()).rejects.toThrow(/abort/);
    let asked = 0;
    const counted: Iterable<SeedBatch> = {
      *[Symbol.iterator]() {
        for (const batch of options.batches) {
          asked += 1;
          yield batch;
        }
      },
    };
    for await (const { step } of new NodeLoader({ ...options, batches: counted, prefetch: 2 })) if (step === 1) break;
    expect(asked).toBe(4);
  });

  test("a rank without seeds in a step still gets its batch", async () => {
    const empty = [{ seeds: new Int32Array(0), epoch: 0, step: 0 }];
    const [batch] = await collect(new NodeLoader({ sampler: await ring(), features, labels, batches: empty }));
    expect(batch!.features).toMatchObject({ numRows: 0, dim: 1 });
    expect(batch!.labels).toHaveLength(0);
  });
});
