import { cp } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { points } from "../../src/dist/points.ts";
import { InMemoryRendezvousStore } from "../../src/dist/rendezvous-store.ts";
import { sharedRowsInMemory } from "../../src/dist/shared-rows.ts";
import type { DistStore } from "../../src/dist-store/dist-store.ts";
import { partitionedData } from "../../src/dist-store/partitioned-data.ts";
import type { TrainingData } from "../../src/graph/training-data.ts";
import type { ArtifactDir } from "../../src/io/manifest.ts";
import { createBlockSampler } from "../../src/sampling/block-sampler.ts";
import { NodeLoader } from "../../src/sampling/node-loader.ts";
import { epochSeeds } from "../../src/sampling/seed-split.ts";
import type { StepEvent } from "../../src/spec/index.ts";
import { partitionStep } from "../../src/steps/partition.step.ts";
import { trainStep } from "../../src/steps/train.step.ts";
import { accessProfile, cacheHotRows } from "../../src/train/hot-rows.ts";
import { partsData } from "../../src/train/parts-data.ts";
import { Trainer } from "../../src/train/trainer.ts";
import { tempDir, writeGraphArtifact } from "../support/graph-artifact.ts";
import { runStep } from "../support/run-step.ts";
import { relayedRows, type TcpRelay } from "../support/tcp-relay.ts";
import { optionsOf } from "../train/support/train-ranks.ts";
import { distRanks, onRanks, wiredRanks } from "./dist-ranks.ts";

const numNodes = 120;
const dim = 6;
const classOf = (node: number) => node % 3;
// Two of three edges stay inside a class; no two are equal.
const edges = Array.from({ length: 700 }, (_, e) => {
  const src = (e * 37 + (e >> 4)) % numNodes;
  return [src, (src + (e % 3 === 0 ? 1 : 3) * (1 + ((e * 11) % 39))) % numNodes] as const;
});
const rowOf = (node: number) =>
  Array.from({ length: dim }, (_, c) => (c % 3 === classOf(node) ? 1 : 0) + ((node * 7 + c * 13) % 10) / 10);

let temp: Awaited<ReturnType<typeof tempDir>>;
beforeAll(async () => {
  temp = await tempDir();
});
afterAll(() => temp.remove());

const made = new Map<string, ReturnType<typeof cut>>();

/**
 * A partition, and for each of two ranks a folder with what the train step says that it reads, as on hosts of their
 * own.
 */
function partitioned(kind: "dense" | "csr", dtype = "fp32", numParts = 2) {
  const name = `${kind}-${dtype}-${numParts}`;
  const known = made.get(name) ?? cut(name, kind, dtype, numParts);
  made.set(name, known);
  return known;
}

async function cut(name: string, kind: "dense" | "csr", dtype: string, numParts: number) {
  const rows = Array.from({ length: numNodes }, (_, node) => rowOf(node));
  const input = await writeGraphArtifact(join(temp.dir, `graph-${name}`), {
    numNodes,
    edges,
    labels: Array.from({ length: numNodes }, (_, node) => classOf(node)),
    split: Array.from({ length: numNodes }, (_, node) => 1 + (node % 5 < 3 ? 0 : (node % 5) - 2)),
    features:
      kind === "dense"
        ? { kind, rows }
        : { kind, dim, rows: rows.map((row) => row.map((value, c) => [c, value] as const).filter(([, v]) => v > 0.4)) },
  });
  const options = { partition: { type: "random", options: { numParts } }, features: { dtype } };
  const whole = await runStep(partitionStep, { graph: input }, options);
  const halves = await Promise.all(
    [0, 1].map(async (rank): Promise<ArtifactDir> => {
      const dir = join(temp.dir, `${name}-of-${rank}`);
      const partitionedOptions = optionsOf({ graph: "partitioned" });
      const read = trainStep.reads?.(whole.manifest, partitionedOptions, { firstRank: rank, ranks: 1, worldSize: 2 });
      const blobs = whole.manifest.blobs.filter((blob) => read?.some((beginning) => blob.name.startsWith(beginning)));
      const folders = new Set(blobs.flatMap((blob) => /^part\d+(?=\/)/.exec(blob.name)?.[0] ?? []));
      expect(folders).toEqual(
        new Set(Array.from({ length: numParts / 2 }, (_, i) => `part${(rank * numParts) / 2 + i}`)),
      );
      for (const blob of blobs) await cp(join(whole.dir, blob.name), join(dir, blob.name));
      return { ...whole, dir };
    }),
  );
  return { whole, halves };
}

/** What two ranks see of a training and of the inference after it. */
function trainOn(stores: readonly DistStore[], options: object, dataOf: (store: DistStore) => Promise<TrainingData>) {
  const sharedRows = sharedRowsInMemory();
  return onRanks(stores, async (store) => {
    const events: StepEvent[] = [];
    const data = await dataOf(store);
    const trainer = await Trainer.create({ data, options: optionsOf(options), rank: store.rank, sharedRows });
    const result = await trainer.fit({ onEvent: (event) => events.push(event) });
    const { embeddings, logits } = await trainer.infer();
    const losses = events.flatMap((event) => (event.type === "metrics" ? [event.values["train/loss"]] : []));
    const told = events.findLast((event) => event.type === "rank");
    trainer.dispose();
    return { result, losses, told, embeddings: embeddings.slice(), logits: logits.slice() };
  });
}

const sampling = { type: "neighbor", options: { fanouts: [3, 2] } };
const train = { epochs: 4, batchSize: 24, optimizer: { type: "adam" as const, options: { lr: 0.02 } } };

function expectSameRun(
  [found]: Awaited<ReturnType<typeof trainOn>>,
  [expected]: Awaited<ReturnType<typeof trainOn>>,
): void {
  expect(found!.losses).toEqual(expected!.losses); // the same bits
  for (const [name, value] of Object.entries(expected!.result.metrics)) {
    expect(Math.abs((found!.result.metrics[name] ?? -1) - (value ?? -1))).toBeLessThan(1e-5);
  }
  for (const rows of ["embeddings", "logits"] as const) {
    expect(found![rows].length).toBe(expected![rows].length);
    expect(found![rows].every((value, i) => Math.abs(value - expected![rows][i]!) < 1e-5)).toBe(true);
  }
}

describe("two ranks that hold a part each", () => {
  test.each([
    [
      "sage with dropout on dense rows",
      "dense",
      "fp32",
      2,
      { type: "sage", options: { hiddenFeats: 8, numLayers: 2, dropout: 0.3 } },
    ],
    [
      "gcn, which knows degrees, on two parts a rank",
      "dense",
      "int8",
      4,
      { type: "gcn", options: { hiddenFeats: 8, numLayers: 2 } },
    ],
    [
      "sage on bags of words",
      "csr",
      "fp32",
      2,
      { type: "sage", options: { hiddenFeats: 8, numLayers: 2, dropout: 0 } },
    ],
  ] as const)("train and infer as on one store: %s", async (_, kind, dtype, numParts, model) => {
    const { whole, halves } = await partitioned(kind, dtype, numParts);
    const options = { model, sampling, train };
    const expected = await trainOn(distRanks(2), options, async () => partsData(whole));
    for (const remoteCache of [0, 0.5]) {
      const stores = distRanks(2);
      const found = await trainOn(stores, { ...options, graph: "partitioned", remoteCache }, (store) =>
        partitionedData(store, halves[store.rank.rank] as ArtifactDir),
      );
      expectSameRun(found, expected);
      const { told } = found[0]!;
      if (told?.type !== "rank") throw new Error("The rank said nothing of itself.");
      expect(told.remoteRows).toBeGreaterThan(0);
      expect(told.cachedRows > 0).toBe(remoteCache > 0);
    }
  });

  test("average random rows by the same bits as on one store, and a probe reads the same of them", async () => {
    const { whole, halves } = await partitioned("dense", "fp32", 4);
    const options = { task: { type: "fastRp", dim: 16 }, model: { type: "fastRp" }, sampling: { type: "full" } };
    const asked = { ...options, train: { epochs: 1 } };
    const expected = await trainOn(distRanks(1), asked, async () => partsData(whole));
    const found = await trainOn(distRanks(2), { ...asked, graph: "partitioned" }, (store) =>
      partitionedData(store, halves[store.rank.rank] as ArtifactDir),
    );
    expect(found[0]!.logits).toEqual(expected[0]!.logits);
    expect(expected[0]!.logits.some((value) => value !== 0)).toBe(true);
    expect(found[0]!.result.metrics).toEqual(expected[0]!.result.metrics);
    expect(found[0]!.result.metrics["test/probeAccuracy"]).toBeGreaterThan(0);
  });

  test("read exactly the rows and in-edges that the batches need, each once, and a cache's rows not at all", async () => {
    const { whole, halves } = await partitioned("dense");
    const { graph, split } = partsData(whole);
    const trainNodes = Int32Array.from(split.keys()).filter((node) => split[node] === 1);
    const fanouts = [3, 2];
    await onRanks(distRanks(2), async (store) => {
      const { rank, worldSize } = store.rank;
      const data = await partitionedData(store, halves[rank] as ArtifactDir);
      const { own } = data.graph.remote!;
      const isOwn = (node: number) => node >= own.first && node < own.first + own.count;
      const seeds = epochSeeds(trainNodes, { seed: 7, epoch: 1, batchSize: 24, rank, worldSize });
      const sampler = createBlockSampler({ graph: data.graph, fanouts, replace: false, seed: 7 });
      const reference = createBlockSampler({ graph, fanouts, replace: false, seed: 7 });
      const profile = await accessProfile({ sampler: reference, epochs: 1, seedsOf: () => seeds }, own, numNodes);
      await cacheHotRows(data.features, profile, 0.5);
      const cached = new Set(profile.remote.slice(0, Math.round(profile.remote.length / 2)));
      let rows = 0;
      let lists = 0;
      let entries = 0;
      for (const [step, ids] of seeds.entries()) {
        const blocks = await reference.sample(ids, { epoch: 1, step });
        rows += blocks[0]!.srcIds.filter((node) => !isOwn(node) && !cached.has(node)).length;
        for (const { srcIds, numDst, indptr } of blocks) {
          const asked = [...srcIds.subarray(0, numDst).entries()].filter(([, node]) => !isOwn(node));
          lists += asked.length;
          entries += asked.reduce((sum, [row]) => sum + indptr[row + 1]! - indptr[row]!, 0);
        }
      }
      const before = store.counters();
      const batches = seeds.map((ids, step) => ({ seeds: ids, epoch: 1, step }));
      const loader = new NodeLoader({ sampler, features: data.features, labels: data.labels!, batches });
      for await (const { features, inputNodes } of loader) {
        const values = [...inputNodes].flatMap((node) => [
          ...partsData(whole).features.gather(Int32Array.of(node)).values,
        ]);
        expect([...features!.values]).toEqual(values);
      }
      const after = store.counters();
      expect(rows).toBeGreaterThan(0);
      expect(after.remoteRows - before.remoteRows).toBe(rows);
      expect(after.remoteLists - before.remoteLists).toBe(lists);
      expect(after.remoteEntries - before.remoteEntries).toBe(entries);
      // A row is asked for by 4 bytes; of a list also its length is told.
      expect(after.remoteBytes - before.remoteBytes).toBe(rows * (4 + 4 * dim) + lists * 8 + entries * 4);
    });
  });

  test("estimate metrics by sampling, rank scores, and read several labels, as on one store", async () => {
    const { whole, halves } = await partitioned("dense");
    const earlyStopping = { metric: "val/rocAuc" as const, patience: 9 };
    const options = {
      model: { type: "sage", options: { hiddenFeats: 8, numLayers: 2, dropout: 0 } },
      sampling: { type: "full" },
      train: { ...train, epochs: 2, evaluate: { mode: "sampled" as const }, earlyStopping },
    };
    const expected = await trainOn(distRanks(2), options, async () => partsData(whole));
    const found = await trainOn(distRanks(2), { ...options, graph: "partitioned" }, (store) =>
      partitionedData(store, halves[store.rank.rank] as ArtifactDir),
    );
    expectSameRun(found, expected);
    expect(found[0]!.result.metrics["test/rocAuc"]).toBeGreaterThan(0);
  });

  test.each([
    ["/sampling/type", { sampling: { type: "labor", options: { fanouts: [2, 2] } } }],
    ["/sampling/type", { sampling: { type: "neighbor", options: { fanouts: [2, 2], edgeDir: "both" } } }],
    ["/features/structural", { features: { structural: {} } }],
    ["/features/transforms", { features: { transforms: ["standardize" as const] } }],
  ])("refuse what needs the whole graph, with its place %s", async (pointer, options) => {
    const { halves } = await partitioned("dense");
    const outcomes = await onRanks(distRanks(2), async (store) => {
      const data = await partitionedData(store, halves[store.rank.rank] as ArtifactDir);
      return Trainer.create({
        data,
        options: optionsOf({ ...options, graph: "partitioned" }),
        rank: store.rank,
        sharedRows: sharedRowsInMemory(),
      }).catch((error: unknown) => error);
    });
    for (const outcome of outcomes) expect(outcome).toMatchObject({ code: "SPEC_INVALID", place: { pointer } });
  });

  test("say at the point remote-read for which batch others are asked, and nothing where all in-edges are their own", async () => {
    const { halves } = await partitioned("dense");
    const told: unknown[] = [];
    const listen = (message: unknown) => void told.push(message);
    points.remoteRead.subscribe(listen);
    await onRanks(distRanks(2), async (store) => {
      const { rank } = store.rank;
      const { graph } = await partitionedData(store, halves[rank] as ArtifactDir);
      const sampler = createBlockSampler({ graph, fanouts: [3], replace: false, seed: 7 });
      const { first, count } = graph.remote!.own;
      await sampler.sample(Int32Array.of(first), { epoch: 2, step: 0 });
      await sampler.sample(Int32Array.of(first, (first + count) % numNodes), { epoch: 2, step: 1 + rank });
    });
    points.remoteRead.unsubscribe(listen);
    expect(told).toHaveLength(2);
    expect(told).toEqual(expect.arrayContaining([1, 2].map((step) => ({ epoch: 2, step }))));
  });

  test("refuse fewer parts than ranks", async () => {
    const { halves } = await partitioned("dense");
    const outcomes = await onRanks(distRanks(3), (store) =>
      partitionedData(store, halves[0] as ArtifactDir).catch((error: unknown) => error),
    );
    for (const outcome of outcomes) expect(outcome).toMatchObject({ code: "SPEC_INVALID" });
  });
});

describe("two ranks whose bytes take 10 ms each way", () => {
  const relays: TcpRelay[] = [];
  const far = () => wiredRanks(2, relayedRows(new InMemoryRendezvousStore(), relays, 10));
  afterEach(() => {
    for (const relay of relays.splice(0)) relay.close();
  });

  test("train and infer by the same bits as without a wire between them", async () => {
    const { halves } = await partitioned("dense");
    const model = { type: "sage", options: { hiddenFeats: 8, numLayers: 2, dropout: 0.3 } };
    const options = { model, sampling, train: { ...train, epochs: 2 }, graph: "partitioned", remoteCache: 0 };
    const dataOf = (store: DistStore) => partitionedData(store, halves[store.rank.rank] as ArtifactDir);
    const [expected] = await trainOn(distRanks(2), options, dataOf);
    const stores = await far();
    const [found] = await trainOn(stores, options, dataOf);
    for (const what of ["losses", "embeddings", "logits"] as const) expect(found?.[what]).toEqual(expected?.[what]);
    await onRanks(stores, (store) => store.close());
  });

  test("have the next batch's rows while one is in hand: nobody who computes waits for them", async () => {
    const { whole, halves } = await partitioned("dense");
    const { graph } = partsData(whole);
    const fanouts = [3, 2];
    const stores = await far();
    await onRanks(stores, async (store) => {
      const { rank, worldSize } = store.rank;
      const data = await partitionedData(store, halves[rank] as ArtifactDir);
      const { first, count } = data.graph.remote!.own;
      const nodes = Int32Array.from({ length: numNodes }, (_, node) => node);
      const batches = epochSeeds(nodes, { seed: 7, epoch: 1, batchSize: 24, rank, worldSize });
      const reference = createBlockSampler({ graph, fanouts, replace: false, seed: 7 });
      const foreign = async (seeds: Int32Array, step: number) => {
        const [block] = await reference.sample(seeds, { epoch: 1, step });
        return block!.srcIds.filter((node) => node < first || node >= first + count).length;
      };
      const rows = await Promise.all(batches.map(foreign));
      const before = store.counters().remoteRows;
      const sampler = createBlockSampler({ graph: data.graph, fanouts, replace: false, seed: 7 });
      const source = batches.map((seeds, step) => ({ seeds, epoch: 1, step }));
      const loader = new NodeLoader({ sampler, features: data.features, labels: null, batches: source, threads: 1 });
      for await (const { step } of loader) {
        const upToNext = rows.slice(0, step + 2).reduce((sum, own) => sum + own, 0);
        // Without a prefetch they would not come before the loader is asked again.
        await vi.waitUntil(() => store.counters().remoteRows - before >= upToNext, { timeout: 20_000 });
      }
      expect(rows.every((number) => number > 0)).toBe(true);
    });
    await onRanks(stores, (store) => store.close());
  });
});
