import { beforeAll, expect, test, vi } from "vitest";
import { selectBackend } from "../../src/backends/select-backend.ts";
import { tensor2d, tidy } from "../../src/backends/tf.ts";
import { infomaxHead } from "../../src/contrast/infomax.ts";
import { loopbackGroup } from "../../src/dist/loopback.ts";
import { sharedRowsInMemory } from "../../src/dist/shared-rows.ts";
import type { TrainingData } from "../../src/graph/training-data.ts";
import type { StepEvent } from "../../src/spec/index.ts";
import type { FitResult } from "../../src/train/fit-options.ts";
import { Trainer } from "../../src/train/trainer.ts";
import type { TrainerOptions } from "../../src/train/trainer-setup.ts";
import { randomFloats } from "../support/seeded-random.ts";
import { communityData } from "./support/community-data.ts";

// Some seconds of work in all, which a machine with other work may stretch.
vi.setConfig({ testTimeout: 120_000 });
beforeAll(() => selectBackend("native"));

const size = { numNodes: 120, numClasses: 3, dim: 12, numTrain: 30, numParts: 2 };
const options: TrainerOptions = {
  task: { type: "deepGraphInfomax", dim: 16 },
  model: { type: "gcn", options: { numLayers: 1, dropout: 0 } },
  sampling: { type: "neighbor", options: { fanouts: [4] } },
  train: { epochs: 12, batchSize: 50, optimizer: { type: "adam", options: { lr: 0.01 } } },
};

interface Run {
  readonly result: FitResult;
  readonly losses: readonly number[];
  readonly rows: Float32Array;
}

async function embed(data: TrainingData, worldSize = 1, asked: TrainerOptions = options): Promise<Run> {
  const sharedRows = sharedRowsInMemory();
  const runs = await Promise.all(
    loopbackGroup(worldSize).map(async (collective, rank) => {
      const context = { rank, worldSize, localRank: rank, device: "cpu", threads: 1, collective } as const;
      const trainer = await Trainer.create({ data, options: asked, rank: context, sharedRows });
      const events: StepEvent[] = [];
      const result = await trainer.fit({ onEvent: (event) => events.push(event) });
      const { logits } = await trainer.infer();
      trainer.dispose();
      const losses = events.flatMap((event) =>
        event.type === "metrics" ? [event.values["train/loss"] ?? []].flat() : [],
      );
      return { result, losses, rows: logits.slice() };
    }),
  );
  return runs[0] as Run;
}

const sigmoid = (x: number) => 1 / (1 + Math.exp(-x));

test("the loss of Deep Graph Infomax is that of the paper's equations", () => {
  const [numNodes, dim] = [5, 3];
  const [first, second] = [randomFloats(numNodes * dim, 1), randomFloats(numNodes * dim, 2)];
  const head = infomaxHead({ dim, seed: 4 });
  const weight = head.variables[0]!.variable.dataSync<"float32">();
  const summary = Array.from({ length: dim }, (_, c) =>
    sigmoid(Array.from({ length: numNodes }, (_, v) => first[v * dim + c]!).reduce((sum, x) => sum + x, 0) / numNodes),
  );
  const told = (rows: Float32Array, v: number) => {
    let score = 0;
    for (let i = 0; i < dim; i++) {
      for (let j = 0; j < dim; j++) score += rows[v * dim + i]! * weight[i * dim + j]! * summary[j]!;
    }
    return sigmoid(score);
  };
  let expected = 0;
  for (let v = 0; v < numNodes; v++) {
    expected -= (Math.log(told(first, v)) + Math.log(1 - told(second, v))) / 2;
  }
  let found = 0;
  tidy(() => {
    const loss = head.lossSum(tensor2d(first, [numNodes, dim]), tensor2d(second, [numNodes, dim]));
    found = loss.dataSync<"float32">()[0]!;
  });
  expect(found).toBeCloseTo(expected, 4);
});

test("rows tell classes apart that training has never seen: other labels change no weight", async () => {
  const data = await communityData(size);
  const { result, losses, rows } = await embed(data);
  expect(losses.at(-1)!).toBeLessThan(losses[0]!);
  expect(result.best!.metric).toBe(result.metrics["val/loss"]);
  expect(result.metrics["test/probeAccuracy"]).toBeGreaterThan(0.6);
  const turned = { ...data, labels: data.labels.map((label) => 2 - label) };
  const without = { ...data, labels: null, split: new Int8Array(size.numNodes) };
  expect((await embed(turned)).rows).toEqual(rows);
  const unlabelled = await embed(without);
  expect(unlabelled.rows).toEqual(rows);
  expect(Object.keys(unlabelled.result.metrics)).toEqual(["val/loss"]);
});

test("two and three ranks have one rank's loss curve, metrics and rows", async () => {
  const data = await communityData(size);
  const one = await embed(data);
  for (const worldSize of [2, 3]) {
    const several = await embed(data, worldSize);
    for (const [epoch, loss] of several.losses.entries()) {
      expect(Math.abs(loss - one.losses[epoch]!) / one.losses[epoch]!).toBeLessThan(1e-5);
    }
    expect(Math.abs(several.result.metrics["val/loss"]! - one.result.metrics["val/loss"]!)).toBeLessThan(1e-5);
    expect(several.result.metrics["test/probeAccuracy"]).toBe(one.result.metrics["test/probeAccuracy"]);
    for (const [i, value] of several.rows.entries()) expect(Math.abs(value - one.rows[i]!)).toBeLessThan(1e-4);
  }
});

test("GRACE tells classes apart by views that lack links, with one rank's loss curve on two", async () => {
  const data = await communityData(size);
  const asked: TrainerOptions = {
    ...options,
    task: { type: "grace", dim: 16, projectionFeats: 16 },
    model: { type: "gcn", options: { hiddenFeats: 16, numLayers: 2, dropout: 0 } },
    sampling: { type: "neighbor", options: { fanouts: [6, 4] } },
    train: { ...options.train, epochs: 8 },
  };
  const one = await embed(data, 1, asked);
  expect(one.losses.at(-1)!).toBeLessThan(one.losses[0]!);
  expect(one.result.metrics["test/probeAccuracy"]).toBeGreaterThan(0.6);
  const two = await embed(data, 2, asked);
  for (const [epoch, loss] of two.losses.entries()) {
    expect(Math.abs(loss - one.losses[epoch]!) / one.losses[epoch]!).toBeLessThan(1e-5);
  }
  expect(Math.abs(two.result.metrics["val/loss"]! - one.result.metrics["val/loss"]!)).toBeLessThan(1e-4);
});

test("what the views do not go with is refused by its place", async () => {
  const data = await communityData(size);
  const refused = async (changed: TrainerOptions, pointer: string) => {
    const creating = Trainer.create({ data, options: { ...options, ...changed } });
    await expect(creating).rejects.toMatchObject({ code: "SPEC_INVALID", place: { pointer } });
  };
  await refused({ task: { type: "deepGraphInfomax", inductive: true } }, "/task/inductive");
  await refused({ sampling: { type: "clusterGcn", options: {} } }, "/sampling/type");
  await refused({ features: { embedding: {} } }, "/features/embedding");
  await refused({ train: { evaluate: { mode: "sampled" } } }, "/train/evaluate/mode");
  const norm = { type: "gcn", options: { numLayers: 2, norm: "batch" } };
  await refused({ model: norm, sampling: { type: "full" } }, "/model/options/norm");
});
