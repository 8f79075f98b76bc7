import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { noFeatures } from "../../src/features/no-features.ts";
import type { TrainingData } from "../../src/graph/training-data.ts";
import { trainStepOptions } from "../../src/spec/train-options.ts";
import { Trainer } from "../../src/train/trainer.ts";
import type { TrainerOptions } from "../../src/train/trainer-setup.ts";
import { artifactOf } from "./support/checkpoint-artifact.ts";
import { communityData } from "./support/community-data.ts";
import { seriesOf, trainRanks } from "./support/train-ranks.ts";

vi.setConfig({ testTimeout: 120_000 });

const size = { numNodes: 120, numClasses: 3, dim: 12, numTrain: 30, numParts: 2 };
const dim = 16;
const options: TrainerOptions = {
  task: { type: "node2vec", dim, walkLength: 6, walksPerNode: 4, window: 3, p: 0.5, q: 2, noise: "degree" },
  model: { type: "shallow" },
  features: { embedding: { dim, optimizer: { type: "sparseAdam", options: { lr: 0.02 } } } },
  train: { epochs: 4, batchSize: 50 },
};
const parsed = (asked: TrainerOptions = options) => trainStepOptions.parse(asked);

let scratch = "";
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), "hopwise-walks-"));
});
afterAll(() => rm(scratch, { recursive: true, force: true }));

test("rows tell classes apart by walks alone: neither features nor labels move one of them", async () => {
  const data = await communityData(size);
  const [run] = await trainRanks(data, parsed(), 1);
  const losses = seriesOf(run!, "train/loss");
  expect(losses.at(-1)!).toBeLessThan(0.97 * losses[0]!);
  const { metrics, best } = run!.result;
  expect(best!.metric).toBe(metrics["val/loss"]);
  // Three classes: a third is chance.
  expect(metrics["test/probeAccuracy"]).toBeGreaterThan(0.6);
  const bare: TrainingData = {
    graph: data.graph,
    features: noFeatures(size.numNodes),
    labels: null,
    split: new Int8Array(size.numNodes),
  };
  const [without] = await trainRanks(bare, parsed(), 1);
  expect(without!.rows).toEqual(run!.rows);
  expect(Object.keys(without!.result.metrics)).toEqual(["val/loss"]);
});

test("two and three ranks have one rank's loss curve, metrics and rows", async () => {
  const data = await communityData(size);
  const [one] = await trainRanks(data, parsed(), 1);
  for (const worldSize of [2, 3]) {
    const [first] = await trainRanks(data, parsed(), worldSize);
    for (const name of ["train/loss", "val/loss"]) {
      const expected = seriesOf(one!, name);
      for (const [i, loss] of seriesOf(first!, name).entries()) {
        expect(Math.abs(loss - expected[i]!) / expected[i]!).toBeLessThan(1e-5);
      }
    }
    for (const [i, value] of first!.rows.entries()) expect(Math.abs(value - one!.rows[i]!)).toBeLessThan(1e-3);
  }
});

test("a run resumed after any epoch has the bits of the undisturbed one, on two ranks", async () => {
  const data = await communityData(size);
  const [whole] = await trainRanks(data, parsed(), 2, { checkpointDir: scratch });
  const checkpoints = whole!.events.filter((event) => event.type === "checkpoint");
  const [resumed] = await trainRanks(data, parsed(), 2, { resume: artifactOf(checkpoints[1]!) });
  expect(resumed!.rows).toEqual(whole!.rows);
});

test("walks teach an encoder with weights, too: unsupervised GraphSAGE", async () => {
  const data = await communityData(size);
  const sage = { type: "sage", options: { hiddenFeats: 16, numLayers: 2, dropout: 0 } };
  const train = { epochs: 6, batchSize: 50, optimizer: { type: "adam" as const, options: { lr: 0.01 } } };
  const sampling = { type: "neighbor", options: { fanouts: [4, 4] } };
  const asked = parsed({ ...options, model: sage, sampling, features: {}, train });
  const [one] = await trainRanks(data, asked, 1);
  const losses = seriesOf(one!, "train/loss");
  expect(losses.at(-1)!).toBeLessThan(losses[0]!);
  const [two] = await trainRanks(data, asked, 2);
  for (const [i, loss] of seriesOf(two!, "train/loss").entries()) {
    expect(Math.abs(loss - losses[i]!) / losses[i]!).toBeLessThan(1e-5);
  }
});

test("what walks and rows alone do not go with is refused by its place", async () => {
  const data = await communityData(size);
  const refused = async (changed: TrainerOptions, pointer: string) => {
    const creating = Trainer.create({ data, options: { ...options, ...changed } });
    await expect(creating).rejects.toMatchObject({ code: "SPEC_INVALID", place: { pointer } });
  };
  await refused({ task: { type: "node2vec", dim, inductive: true } }, "/task/inductive");
  await refused({ sampling: { type: "clusterGcn", options: {} } }, "/sampling/type");
  await refused({ train: { evaluate: { mode: "sampled" } } }, "/train/evaluate/mode");
  await refused({ features: {} }, "/features/embedding");
  await refused({ features: { embedding: { dim: 8 } } }, "/features/embedding/dim");
  await refused({ features: { embedding: { dim }, structural: {} } }, "/features/structural");
  await refused({ features: { embedding: { dim }, transforms: ["rowNormalize"] } }, "/features/transforms");
  await expect(
    Trainer.create({ data: { ...data, graph: { ...data.graph, numEdges: 0, parts: [edgeless] } }, options }),
  ).rejects.toMatchObject({ code: "TRAIN_NO_LABELS" });
});

const edgeless = {
  firstNode: 0,
  numNodes: size.numNodes,
  indptr: new BigInt64Array(size.numNodes + 1),
  indices: new Int32Array(),
  weights: null,
};
