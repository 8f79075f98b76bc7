import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { loopbackGroup } from "../../src/dist/loopback.ts";
import { sharedRowsInMemory } from "../../src/dist/shared-rows.ts";
import { inProcessRowServices } from "../../src/dist-store/in-process-rows.ts";
import type { GnnError } from "../../src/errors/gnn-error.ts";
import { DenseFeatureStore } from "../../src/features/dense-feature-store.ts";
import { noFeatures } from "../../src/features/no-features.ts";
import { complExDecoder } from "../../src/links/decoders/compl-ex.ts";
import { dotDecoder } from "../../src/links/decoders/dot.ts";
import { mlpDecoder } from "../../src/links/decoders/mlp.ts";
import type { LinkLearning } from "../../src/links/link-task.ts";
import { binaryCrossEntropy } from "../../src/links/losses/binary-cross-entropy.ts";
import { jointTails } from "../../src/links/negatives/joint.ts";
import { uniformTail } from "../../src/links/negatives/uniform-tail.ts";
import { pairFigures } from "../../src/links/pair-figures.ts";
import { scorePairs } from "../../src/links/score-pairs.ts";
import { splitLinks } from "../../src/links/split-links.ts";
import type { StepEvent } from "../../src/spec/index.ts";
import type { FitOptions, FitResult } from "../../src/train/fit-options.ts";
import { Trainer } from "../../src/train/trainer.ts";
import type { TrainerOptions, TrainerSetup } from "../../src/train/trainer-setup.ts";
import { randomFloats, seededRandom } from "../support/seeded-random.ts";
import { artifactOf } from "./support/checkpoint-artifact.ts";

// Some seconds of work in all, which a machine with other work may stretch.
vi.setConfig({ testTimeout: 120_000 });

const numNodes = 120;
const numGroups = 6;

/** Nodes of one group are often linked, others seldom; features are noise and a hint of the group. */
async function grouped(): Promise<Pick<TrainerSetup, "data"> & { readonly links: LinkLearning }> {
  const random = seededRandom(5);
  const rows: [number, number][] = [];
  for (let a = 0; a < numNodes; a++) {
    for (let b = a + 1; b < numNodes; b++) {
      if (random() < (a % numGroups === b % numGroups ? 0.3 : 0.006)) rows.push([a, b]);
    }
  }
  const [src, dst] = [0, 1].map((end) => Int32Array.from(rows, (row) => row[end]!)) as [Int32Array, Int32Array];
  const split = await splitLinks(
    { src, dst, numNodes, directed: false },
    { sides: { type: "random", val: 0.1, test: 0.15, seed: 0 }, negatives: { perLink: 2, seed: 0 } },
  );
  const values = randomFloats(numNodes * 8, 3);
  for (let node = 0; node < numNodes; node++) values[node * 8 + (node % numGroups)]! += 0.5;
  const data = {
    graph: split.graph,
    features: new DenseFeatureStore(8, [values]),
    split: new Int8Array(numNodes),
  };
  const negatives = uniformTail({ perLink: 2, seed: 0, seen: split.seen });
  return { data, links: { split, dim: 16, decoder: dotDecoder, loss: binaryCrossEntropy(), negatives } };
}

const options: TrainerOptions = {
  model: { type: "gcn", options: { hiddenFeats: 16, numLayers: 2, dropout: 0.1 } },
  sampling: { type: "neighbor", options: { fanouts: [8, 8] } },
  train: { epochs: 12, batchSize: 64, optimizer: { type: "adam", options: { lr: 0.02 } } },
};

interface Run {
  readonly result: FitResult;
  readonly events: readonly StepEvent[];
}

/** Trains with some ranks in this process; hosts share the ranks in turn, each with a memory of its own. */
async function trainLinks(
  setup: TrainerSetup,
  worldSize: number,
  { numHosts = 1, ...fit }: FitOptions & { readonly numHosts?: number } = {},
): Promise<Run[]> {
  const memories = Array.from({ length: numHosts }, sharedRowsInMemory);
  const services = inProcessRowServices(worldSize);
  return Promise.all(
    loopbackGroup(worldSize).map(async (collective, rank) => {
      const connectRows = async () => services[rank]!;
      const place = { rank, worldSize, localRank: Math.floor(rank / numHosts), numHosts };
      const context = { ...place, device: "cpu", threads: 1, collective, connectRows } as const;
      const sharedRows = memories[rank % numHosts]!;
      const trainer = await Trainer.create({ options, ...setup, rank: context, sharedRows });
      const events: StepEvent[] = [];
      const result = await trainer.fit({ ...fit, onEvent: (event) => events.push(event) });
      trainer.dispose();
      return { result, events };
    }),
  );
}

function lossesOf({ events }: Run): number[] {
  return events.flatMap((event) => (event.type === "metrics" ? [event.values["train/loss"] ?? []].flat() : []));
}

test("learns which nodes are linked, and chooses weights by the area under the curve of val", async () => {
  const [run] = await trainLinks(await grouped(), 1);
  const losses = lossesOf(run!);
  expect(losses).toHaveLength(12);
  expect(losses.at(-1)!).toBeLessThan(losses[0]!);
  const { metrics, best } = run!.result;
  expect(metrics["test/auc"]).toBeGreaterThan(0.75);
  expect(Object.keys(metrics)).toEqual(["val/auc", "val/ap", "val/mrr", "test/auc", "test/ap", "test/mrr"]);
  expect(best!.metric).toBe(metrics["val/auc"]);
});

test("two ranks on one host or two have one rank's loss curve and metrics", async () => {
  const given = await grouped();
  const { split } = given.links;
  // Joint targets and a decoder with weights: what is drawn for the whole step, and what is learnt beside the encoder.
  const links: LinkLearning = {
    ...given.links,
    decoder: (shape) => mlpDecoder({ ...shape, input: "hadamard", hiddenFeats: 8 }),
    negatives: jointTails({ perLink: 3, seed: 1, seen: split.seen }),
  };
  const [one] = await trainLinks({ ...given, links }, 1);
  const two = await trainLinks({ ...given, links }, 2);
  expect(one!.result.steps).toBe(12 * Math.ceil(split.train.src.length / 64));
  const expected = lossesOf(one!);
  for (const [epoch, loss] of lossesOf(two[0]!).entries()) {
    expect(Math.abs(loss / expected[epoch]! - 1)).toBeLessThan(1e-5);
  }
  expect(two[1]!.result).toEqual(two[0]!.result);
  const hosts = await trainLinks({ ...given, links }, 2, { numHosts: 2 });
  for (const { result } of hosts) expect(result).toEqual(two[0]!.result);
  for (const [name, value] of Object.entries(one!.result.metrics)) {
    expect(two[0]!.result.metrics[name]).toBeCloseTo(value!, 3);
  }
});

test("rows of the nodes are learnt beside the encoder, where there are no features", async () => {
  const given = await grouped();
  const data = { ...given.data, features: noFeatures(numNodes) };
  const train = { ...options.train, epochs: 4, batchSize: 256 };
  const embedded = { ...options, features: { embedding: { dim: 16 } }, train };
  const [one] = await trainLinks({ ...given, data, options: embedded }, 1);
  const [two] = await trainLinks({ ...given, data, options: embedded }, 2);
  expect(lossesOf(one!).at(-1)!).toBeLessThan(lossesOf(one!)[0]!);
  for (const [epoch, loss] of lossesOf(two!).entries()) {
    expect(Math.abs(loss / lossesOf(one!)[epoch]! - 1)).toBeLessThan(1e-5);
  }
});

test("the rows that infer gives and the decoder are what the metrics were counted by", async () => {
  const given = await grouped();
  const trainer = await Trainer.create({ ...given, options });
  const { metrics } = await trainer.fit();
  const nodes = { rows: (await trainer.infer()).logits, dim: given.links.dim };
  const { positives, negatives } = given.links.split.test;
  const scoresOf = (of: typeof positives) => scorePairs(nodes, trainer.decoder!, of);
  const { auc } = pairFigures(await scoresOf(positives), await scoresOf(negatives));
  expect(auc).toBe(metrics["test/auc"]);
  trainer.dispose();
});

test("a run goes on after a checkpoint with the bits it would have had, and other links refuse it", async () => {
  const dir = await mkdtemp(join(tmpdir(), "hopwise-links-"));
  try {
    const given = await grouped();
    const [whole] = await trainLinks({ ...given, options: { ...options, train: { ...options.train, epochs: 4 } } }, 1, {
      checkpointDir: dir,
    });
    const checkpoints = whole!.events.filter((event) => event.type === "checkpoint");
    const resume = artifactOf(checkpoints.find(({ epoch }) => epoch === 2)!);
    const train = { ...options.train, epochs: 4 };
    const [resumed] = await trainLinks({ ...given, options: { ...options, train } }, 1, { resume });
    expect(lossesOf(resumed!)).toEqual(lossesOf(whole!).slice(2));
    expect(resumed!.result.metrics).toEqual(whole!.result.metrics);
    const others = { ...given.links, split: { ...given.links.split, train: given.links.split.test.positives } };
    await expect(
      trainLinks({ ...given, links: others, options: { ...options, train } }, 1, { resume }),
    ).rejects.toMatchObject({ code: "CHECKPOINT_INVALID" });
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
});

test.each([
  ["a graph with the held-out links", "/links/split", {}, {}],
  ["a decoder that knows a direction", "/links/decoder", {}, { decoder: complExDecoder }],
  ["a task of nodes beside them", "/task", { task: { type: "nodeClassification" } }, {}],
  ["a sampler that plans batches of nodes", "/sampling/type", { sampling: { type: "clusterGcn", options: {} } }, {}],
  ["a metric of nodes", "/train/earlyStopping/metric", { train: { earlyStopping: { metric: "val/accuracy" } } }, {}],
  ["sampled evaluation", "/train/evaluate/mode", { train: { evaluate: { mode: "sampled" } } }, {}],
] as const)("%s is refused at %s", async (what, pointer, asked, changed) => {
  const given = await grouped();
  const links = { ...given.links, ...changed };
  const graph = what.startsWith("a graph") ? { ...given.data.graph } : given.data.graph;
  const setup = { data: { ...given.data, graph }, links, options: { ...options, ...asked } as TrainerOptions };
  const error = await Trainer.create(setup).catch((reason: GnnError) => reason);
  expect(error).toMatchObject({ code: "SPEC_INVALID", place: { pointer } });
});
