import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { memory } from "../../src/backends/tf.ts";
import type { StepEvent } from "../../src/spec/index.ts";
import { argMax } from "../../src/tasks/metrics.ts";
import { reliabilityOf } from "../../src/tasks/reliability.ts";
import { fitTemperature } from "../../src/tasks/temperature.ts";
import { Trainer } from "../../src/train/trainer.ts";
import type { TrainerOptions } from "../../src/train/trainer-setup.ts";
import { artifactOf } from "./support/checkpoint-artifact.ts";
import { communityData } from "./support/community-data.ts";
import { adam, sageOf, sampling, small } from "./support/small-run.ts";
import { optionsOf, seriesOf, startRanks, trainRanks } from "./support/train-ranks.ts";

let scratch = "";
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), "hopwise-trainer-"));
});
afterAll(() => rm(scratch, { recursive: true, force: true }));

test("learns the communities of a graph and reports loss and accuracy of every epoch", async () => {
  const options = optionsOf({ model: sageOf(0.2), sampling, train: { epochs: 30, batchSize: 40, optimizer: adam } });
  const [run] = await trainRanks(await communityData(small), options, 1);
  const losses = seriesOf(run!, "train/loss");
  expect(losses).toHaveLength(30);
  expect(losses.at(-1)!).toBeLessThan(losses[0]! / 2);
  expect(seriesOf(run!, "val/accuracy")).toHaveLength(30);
  expect(run!.result.metrics["test/accuracy"]).toBeGreaterThan(0.8);
  expect(seriesOf(run!, "test/accuracy")).toEqual([run!.result.metrics["test/accuracy"]]);
  const progress = run!.events.filter((event) => event.type === "progress").map((event) => event.completed);
  expect(progress.slice(0, 3)).toEqual([1, 2, 3]);
});

test.each([2, 3])("%i ranks give one rank's loss curve at the same global batch", async (worldSize) => {
  const data = await communityData(small);
  const train = { epochs: 20, batchSize: 40, optimizer: adam }; // 80 / 40 = 2 steps an epoch
  const options = optionsOf({ model: sageOf(0), sampling, train });
  const [one] = await trainRanks(data, options, 1);
  const many = await trainRanks(data, options, worldSize);
  expect(one!.result.steps).toBe(20 * 2);
  for (const name of ["train/loss", "val/loss"]) {
    const expected = seriesOf(one!, name);
    for (const [epoch, loss] of seriesOf(many[0]!, name).entries()) {
      expect(Math.abs(loss / expected[epoch]! - 1)).toBeLessThan(1e-5);
    }
  }
  for (const { weights, result } of many) {
    expect(weights).toEqual(many[0]!.weights); // the same bits on every rank
    expect(result).toEqual(many[0]!.result);
  }
});

test("4,097 seeds in batches of 1,024 end on 4 ranks after 5 equal steps", async () => {
  const data = await communityData({ ...small, numNodes: 5_000, numTrain: 4_097, degree: 3, numParts: 4 });
  const options = optionsOf({
    model: sageOf(0),
    sampling: { type: "neighbor", options: { fanouts: [2, 2] } },
    train: { epochs: 1, batchSize: 1_024 },
  });
  const runs = await trainRanks(data, options, 4);
  expect(runs.map(({ result }) => result.steps)).toEqual([5, 5, 5, 5]); // ⌈4,097 / 1,024⌉
});

test.each([
  { type: "sgd" as const, options: { lr: 0.05, momentum: 0.9, weightDecay: 1e-3 } },
  { type: "adamw" as const, options: { lr: 0.02, weightDecay: 0.05 } },
  { type: "adagrad" as const, options: { lr: 0.05 } },
])("$type with a schedule learns, gives 2 ranks one rank's curve, and resumes to the same bits", async (optimizer) => {
  const data = await communityData(small);
  const schedule = { type: "cosine" as const, warmupEpochs: 2 };
  const train = { epochs: 12, batchSize: 40, optimizer, schedule };
  const options = optionsOf({ model: sageOf(0), sampling, train });
  const checkpointDir = join(scratch, optimizer.type);
  const [one] = await trainRanks(data, options, 1);
  const [whole] = await trainRanks(data, options, 2, { checkpointDir });
  const losses = seriesOf(whole!, "train/loss");
  expect(losses.at(-1)!).toBeLessThan(losses[0]! * 0.8);
  for (const [epoch, loss] of seriesOf(one!, "train/loss").entries()) {
    expect(Math.abs(losses[epoch]! / loss - 1)).toBeLessThan(1e-4);
  }
  const fifth = whole!.events.filter((event) => event.type === "checkpoint")[4]!;
  const [resumed] = await trainRanks(data, options, 2, { resume: artifactOf(fifth) });
  expect(resumed!.weights).toEqual(whole!.weights);
  expect(resumed!.result).toEqual(whole!.result);
});

test("a learning rate far too high ends the run with the name of the first tensor that is not finite", async () => {
  const optimizer = { type: "sgd" as const, options: { lr: 1e30 } };
  const options = optionsOf({ model: sageOf(0), sampling, train: { epochs: 20, batchSize: 40, optimizer } });
  const ends = await Promise.allSettled(await startRanks(await communityData(small), options, 2));
  const message = expect.stringMatching(/^In epoch \d+, step \d+, the output of layers\.\d is not/);
  const diverged = { status: "rejected", reason: { code: "TRAIN_DIVERGED", message } };
  expect(ends).toMatchObject([diverged, diverged]);
});

test("an optimizer without type is Adam; an option of another one is refused by its place", async () => {
  expect(optionsOf({ train: { optimizer: { options: { lr: 0.5 } } } }).train.optimizer).toEqual({
    type: "adam",
    options: { lr: 0.5, weightDecay: 0 },
  });
  const train = { optimizer: { type: "adam", options: { momentum: 0.9 } } } as unknown as TrainerOptions["train"];
  await expect(Trainer.create({ data: await communityData(small), options: { train } })).rejects.toMatchObject({
    code: "SPEC_INVALID",
    place: { pointer: "/train/optimizer/options" },
  });
});

test("early stopping ends all ranks at the same epoch and leaves the best weights", async () => {
  const options = optionsOf({
    model: sageOf(0),
    sampling,
    train: {
      epochs: 200,
      optimizer: { type: "adam", options: { lr: 0.1 } },
      earlyStopping: { metric: "val/loss", mode: "min", patience: 3 },
    },
  });
  const runs = await trainRanks(await communityData(small), options, 2);
  const { epochs, best, metrics } = runs[0]!.result;
  expect(runs[1]!.result).toEqual(runs[0]!.result);
  expect(epochs).toBeLessThan(200);
  expect(epochs).toBe(best!.epoch + 3);
  expect(metrics["val/loss"]).toBe(best!.metric); // evaluated again with the weights put back
});

test("a training that is told to end does so on all ranks behind the same step, evaluated and with a checkpoint", async () => {
  const data = await communityData(small);
  const train = { epochs: 100_000, batchSize: 40, evaluate: { everyEpochs: 100_000 } };
  const options = optionsOf({ model: sageOf(0), sampling, train: { ...train, checkpoint: { everyEpochs: 100_000 } } });
  const asked = new AbortController();
  const checkpointDir = join(scratch, "ended");
  const ended = await trainRanks(data, options, 2, {
    endSignals: [new AbortController().signal, asked.signal],
    checkpointDir,
    // In the third epoch rank 1, and it alone, is told.
    onEvent: (rank, event) => {
      if (rank === 0 && event.type === "metrics" && event.axis === "epoch" && event.step === 2) asked.abort();
    },
  });
  const [first, second] = ended;
  expect(second!.result).toEqual(first!.result);
  expect(second!.weights).toEqual(first!.weights);
  const { epochs, steps, best, metrics } = first!.result;
  expect(epochs).toBeGreaterThanOrEqual(3);
  expect(best).toMatchObject({ epoch: epochs, metric: metrics["val/accuracy"] });
  const checkpoints = first!.events.flatMap((event) => (event.type === "checkpoint" ? [event] : []));
  expect(checkpoints.map(({ epoch, step }) => [epoch, step])).toEqual([[epochs, steps]]);
  const logged = first!.events.flatMap((event) => (event.type === "log" ? [event] : []));
  const told = { message: "Training ends here, as was asked", fields: { epoch: epochs, step: steps } };
  expect(logged).toContainEqual(expect.objectContaining(told));
  // What goes on from there begins an epoch of its own.
  const longer = { ...options, train: { ...options.train, epochs: epochs + 1 } };
  const [resumed] = await trainRanks(data, longer, 2, { resume: artifactOf(checkpoints[0]!) });
  expect(resumed!.result.epochs).toBe(epochs + 1);
});

test("a training that is to end before it begins takes one step", async () => {
  const [run] = await trainRanks(await communityData(small), optionsOf({ model: sageOf(0), sampling }), 1, {
    endSignals: [AbortSignal.abort()],
  });
  expect(run!.result).toMatchObject({ epochs: 1, steps: 1, best: { epoch: 1 } });
});

test("the final metrics and the confusion matrix are what the inferred logits give", async () => {
  const data = await communityData(small);
  const train = { epochs: 4, optimizer: adam };
  const trainer = await Trainer.create({ data, options: { sampling, model: sageOf(0), train } });
  const { metrics, confusion, calibration } = await trainer.fit();
  const { logits } = await trainer.infer();
  trainer.dispose();
  const nodes = [...data.split.keys()].filter((node) => data.split[node] === 3);
  const expected = Array.from({ length: 4 }, () => [0, 0, 0, 0]);
  for (const node of nodes) expected[data.labels[node]!]![argMax(logits, node, 4)]! += 1;
  expect(confusion).toEqual(expected);
  const scoredOf = (code: number) => {
    const nodes = Int32Array.from([...data.split.keys()].filter((node) => data.split[node] === code));
    const rows = Array.from(nodes, (node) => [...logits.subarray(4 * node, 4 * node + 4)]);
    const labels = nodes.map((node) => data.labels[node]!);
    return { logits: Float32Array.from(rows.flat()), labels, numClasses: 4 };
  };
  const { temperature } = fitTemperature(scoredOf(2));
  expect(calibration!.temperature).toBeCloseTo(temperature!, 4);
  expect(calibration!.test!.before.nll).toBeCloseTo(metrics["test/loss"]!, 5);
  expect(calibration!.test!.after!.ece).toBeCloseTo(reliabilityOf(scoredOf(3), temperature!)!.ece, 4);
  const correct = expected.reduce((sum, row, label) => sum + row[label]!, 0);
  expect(metrics["test/microF1"]).toBeCloseTo(correct / nodes.length, 6);
  const f1 = expected.map((row, c) => {
    const members = row.reduce((sum, count) => sum + count, 0) + expected.reduce((sum, other) => sum + other[c]!, 0);
    return (2 * row[c]!) / members;
  });
  expect(metrics["test/macroF1"]).toBeCloseTo(f1.reduce((sum, value) => sum + value, 0) / 4, 6);
  const probability = (node: number, c: number) => {
    const row = [...logits.subarray(node * 4, node * 4 + 4)].map(Math.exp);
    return row[c]! / row.reduce((sum, value) => sum + value, 0);
  };
  const areas = [0, 1, 2, 3].flatMap((c) => {
    const [members, rest] = [true, false].map((isMember) => nodes.filter((v) => (data.labels[v] === c) === isMember));
    const wins = members!.flatMap((v) => rest!.map((u) => Number(probability(v, c) > probability(u, c))));
    return wins.length > 0 ? [wins.reduce((sum, win) => sum + win, 0) / wins.length] : []; // no test node of the class
  });
  expect(areas.length).toBeGreaterThan(1);
  expect(metrics["test/rocAuc"]).toBeCloseTo(areas.reduce((sum, value) => sum + value, 0) / areas.length, 4);
  expect(metrics["test/averagePrecision"]).toBeGreaterThan(0.25);
});

test.each(["val/macroF1", "val/microF1", "val/rocAuc", "val/averagePrecision"] as const)(
  "early stopping on %s stops two ranks at one epoch and keeps its best weights",
  async (metric) => {
    const train = {
      epochs: 200,
      optimizer: { type: "adam" as const, options: { lr: 0.05 } },
      earlyStopping: { metric, patience: 3 },
    };
    const data = await communityData(small);
    const runs = await trainRanks(data, optionsOf({ model: sageOf(0), sampling, train }), 2);
    const { epochs, best, metrics } = runs[0]!.result;
    expect(runs[1]!.result).toEqual(runs[0]!.result);
    expect(epochs).toBe(best!.epoch + 3);
    expect(metrics[metric]).toBe(best!.metric);
  },
);

test("cancelling one rank ends all of them at the same step", async () => {
  const stop = new AbortController();
  const signals = [new AbortController().signal, stop.signal, new AbortController().signal];
  const options = optionsOf({ model: sageOf(0), sampling, train: { epochs: 100_000, batchSize: 16 } });
  const onEvent = (_rank: number, event: StepEvent) => {
    if (event.type === "metrics" && event.step === 2) stop.abort();
  };
  const ends = await Promise.allSettled(await startRanks(await communityData(small), options, 3, { signals, onEvent }));
  const cancelled = { status: "rejected", reason: { code: "CANCELLED" } };
  expect(ends).toMatchObject([cancelled, cancelled, cancelled]);
});

test("no step leaves a tensor behind", async () => {
  const counts: number[] = [];
  const onEvent = (_rank: number, event: StepEvent) => {
    if (event.type === "metrics") counts.push(memory().numTensors);
  };
  const options = optionsOf({ model: sageOf(0.5), sampling, train: { epochs: 4, batchSize: 16 } });
  await trainRanks(await communityData(small), options, 1, { onEvent });
  expect(new Set(counts).size).toBe(1);
});

test("the sampling choices of a model without edges do not matter", async () => {
  const data = await communityData(small);
  const mlp = { type: "mlp", options: { hiddenFeats: 16, dropout: 0.1 } };
  const train = { epochs: 3, batchSize: 32 };
  const [sampled] = await trainRanks(data, optionsOf({ model: mlp, sampling, train }), 1);
  const rewired = { ...data, graph: (await communityData({ ...small, degree: 2 })).graph };
  const [other] = await trainRanks(rewired, optionsOf({ model: mlp, train }), 2);
  expect(other!.result.steps).toBe(sampled!.result.steps);
  for (const [i, weight] of other!.weights.entries()) expect(weight).toBeCloseTo(sampled!.weights[i]!, 4);
});

test("a graph without training labels is refused", async () => {
  const data = await communityData(small);
  const unlabelled = { ...data, labels: data.labels.map(() => -1) };
  const options = optionsOf({ model: sageOf(0), sampling });
  await expect(trainRanks(unlabelled, options, 1)).rejects.toMatchObject({ code: "TRAIN_NO_LABELS" });
});

test("a wrong model option is named by its place in the spec", async () => {
  const options = optionsOf({ model: { type: "sage", options: { hiddenFeats: 0 } }, sampling });
  await expect(trainRanks(await communityData(small), options, 1)).rejects.toMatchObject({
    code: "SPEC_INVALID",
    place: { pointer: "/model/options/hiddenFeats" },
  });
});

test("without validation nodes the last weights are kept, and a warning says so", async () => {
  const data = await communityData(small);
  const blind = { ...data, split: data.split.map((code) => (code === 2 ? 0 : code)) };
  const train = { epochs: 2, earlyStopping: { patience: 1 } };
  const [run] = await trainRanks(blind, optionsOf({ model: sageOf(0), sampling, train }), 1);
  expect(run!.result).toMatchObject({ epochs: 2, best: null, metrics: { "val/accuracy": null } });
  const warnings = run!.events.filter((event) => event.type === "log" && event.level === "warn");
  expect(warnings).toMatchObject([{ rank: 0, message: expect.stringContaining("no validation nodes") }]);
});

test("a loss to be maximised is refused with its place in the spec", async () => {
  const train = { earlyStopping: { metric: "val/loss" as const, mode: "max" as const } };
  await expect(Trainer.create({ data: await communityData(small), options: { train } })).rejects.toMatchObject({
    code: "SPEC_INVALID",
    place: { pointer: "/train/earlyStopping/mode" },
  });
});

test("in memory, a trainer needs no more than data: it trains, infers and gives everything back", async () => {
  const before = memory().numTensors;
  const data = await communityData(small);
  const trainer = await Trainer.create({ data, options: { sampling, model: sageOf(0), train: { epochs: 3 } } });
  const { metrics } = await trainer.fit();
  const { embeddings, logits } = await trainer.infer();
  expect([embeddings.length, logits.length]).toEqual([400 * 16, 400 * 4]);
  const test = [...data.split.keys()].filter((node) => data.split[node] === 3);
  const correct = test.filter((node) => argMax(logits, node, 4) === data.labels[node]).length;
  expect(correct / test.length).toBeCloseTo(metrics["test/accuracy"]!, 6);
  trainer.dispose();
  expect(memory().numTensors).toBe(before);
});
