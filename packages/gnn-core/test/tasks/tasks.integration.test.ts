import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { labelSetsOf } from "../../src/graph/label-sets.ts";
import type { TrainingData } from "../../src/graph/training-data.ts";
import type { StepEvent } from "../../src/spec/index.ts";
import { Trainer } from "../../src/train/trainer.ts";
import type { TrainerOptions } from "../../src/train/trainer-setup.ts";
import { artifactOf } from "../train/support/checkpoint-artifact.ts";
import { communityData } from "../train/support/community-data.ts";
import { optionsOf, seriesOf, trainRanks } from "../train/support/train-ranks.ts";

const scratch = mkdtempSync(join(tmpdir(), "hopwise-tasks-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const model = { type: "sage", options: { hiddenFeats: 16, numLayers: 2, dropout: 0 } };
const sampling = { type: "neighbor", options: { fanouts: [5, 5] } };
const adam = { type: "adam" as const, options: { lr: 0.03 } };

/** Communities as sets of labels (its number and its parity) and as numbers; a tenth of the nodes knows nothing. */
async function taskData(): Promise<TrainingData> {
  const {
    labels,
    numClasses: _,
    ...data
  } = await communityData({ numNodes: 160, numClasses: 4, dim: 8, numTrain: 64 });
  const known = (node: number) => node % 10 !== 0;
  const sets = Array.from(labels, (label, node) => (known(node) ? [label, 4 + (label % 2)] : null));
  const values = Array.from(labels, (label, node) =>
    known(node) ? [100 + 20 * label, label % 2] : [Number.NaN, Number.NaN],
  );
  return {
    ...data,
    labelSets: labelSetsOf(sets, 6),
    targets: { names: ["price", "odd"], values: Float32Array.from(values.flat()) },
  };
}

const tasks = {
  several: { type: "nodeMultiLabel", target: "labels" },
  weighted: { type: "nodeMultiLabel", target: "labels", classWeights: "balanced", threshold: 0.4 },
  mse: { type: "nodeRegression", target: ["price", "odd"] },
  mae: { type: "nodeRegression", target: "price", loss: "mae" },
  huber: { type: "nodeRegression", target: "price", loss: "huber", huberDelta: 0.5 },
  inductive: { type: "nodeRegression", target: "price", inductive: true },
} as const satisfies Record<string, TrainerOptions["task"]>;

test.each(Object.entries(tasks))(
  "%s learns, gives 2 ranks one rank's curve, and resumes to the same bits",
  async (name, task) => {
    const data = await taskData();
    const train = { epochs: 5, batchSize: 32, optimizer: adam, gradClipNorm: 5 };
    const options = { ...optionsOf({ model, sampling, train }), task: optionsOf({}).task };
    const given = { ...options, task } as never;
    const checkpointDir = join(scratch, name);
    const [one] = await trainRanks(data, given, 1);
    const [whole] = await trainRanks(data, given, 2, { checkpointDir });
    const losses = seriesOf(whole!, "train/loss");
    expect(losses.at(-1)!).toBeLessThan(losses[0]! * 0.8);
    for (const [epoch, loss] of seriesOf(one!, "train/loss").entries()) {
      expect(Math.abs(losses[epoch]! / loss - 1)).toBeLessThan(1e-4);
    }
    expect(Math.abs(losses[0]! / seriesOf(one!, "train/loss")[0]! - 1)).toBeLessThan(1e-5);
    const third = whole!.events.filter((event) => event.type === "checkpoint")[2]!;
    const [resumed] = await trainRanks(data, given, 2, { resume: artifactOf(third) });
    expect(resumed!.weights).toEqual(whole!.weights);
    expect(resumed!.result).toEqual(whole!.result);
  },
);

test("predictions of numbers are in their own units, and the metrics are those of the predictions", async () => {
  const data = await taskData();
  const train = { epochs: 40, optimizer: adam };
  const trainer = await Trainer.create({ data, options: { task: tasks.mae, model, sampling, train } });
  const { metrics, confusion, best } = await trainer.fit();
  const { logits } = await trainer.infer();
  trainer.dispose();
  const test = [...data.split.keys()].filter((node) => data.split[node] === 3 && node % 10 !== 0);
  const errors = test.map((node) => Math.abs(logits[node]! - data.targets!.values[node * 2]!));
  expect(metrics["test/mae"]).toBeCloseTo(errors.reduce((sum, error) => sum + error, 0) / errors.length, 3);
  expect(metrics["test/mae"]).toBeLessThan(15); // prices are 100, 120, 140, 160: their mean is off by 20
  expect(metrics["val/loss"]).toBe(best!.metric); // minimised unless the spec names another metric
  expect(confusion).toBeNull();
});

test.each([
  ["nodeMultiLabel", "val/microF1"],
  ["nodeMultiLabel", "val/averagePrecision"],
  ["nodeRegression", "val/mae"],
  ["nodeRegression", "val/r2"],
] as const)("a %s stops early on %s and keeps its best weights", async (type, metric) => {
  const task = type === "nodeRegression" ? tasks.mse : tasks.several;
  const train = { epochs: 200, optimizer: adam, earlyStopping: { metric, patience: 3 } };
  const trainer = await Trainer.create({ data: await taskData(), options: { task, model, sampling, train } });
  const { best, metrics, epochs } = await trainer.fit();
  trainer.dispose();
  expect(epochs).toBe(best!.epoch + 3);
  expect(metrics[metric]).toBe(best!.metric);
});

test("a metric that the task does not have is refused with its place", async () => {
  const train = { earlyStopping: { metric: "val/accuracy" as const } };
  const create = Trainer.create({ data: await taskData(), options: { task: tasks.mse, train } });
  await expect(create).rejects.toMatchObject({
    code: "SPEC_INVALID",
    place: { pointer: "/train/earlyStopping/metric" },
  });
});

test.each([
  [{ target: "label" }, "the dataset has several labels per node"],
  [{ type: "nodeRegression", target: "weight" }, "it has price, odd"],
] as const)("the task %j is refused on data that have not what it learns", async (task, hint) => {
  const create = Trainer.create({ data: await taskData(), options: { task } });
  await expect(create).rejects.toMatchObject({ code: "SPEC_INVALID", message: expect.stringContaining(hint) });
});

test("sampled evaluation of whole neighbourhoods is the exact one, on one rank as on two", async () => {
  const data = await taskData();
  const run = async (mode: "layerwise" | "sampled", ranks: number) => {
    const train = { epochs: 3, batchSize: 50, optimizer: adam, evaluate: { mode } };
    const options = { ...optionsOf({ model, sampling: { type: "full" }, train }), task: tasks.several };
    const [first] = await trainRanks(data, options as never, ranks);
    return seriesOf(first!, "val/loss");
  };
  const exact = await run("layerwise", 1);
  for (const sampled of [await run("sampled", 1), await run("sampled", 2)]) {
    for (const [epoch, loss] of sampled.entries()) expect(loss).toBeCloseTo(exact[epoch]!, 4);
  }
});

test("inductive training reads no edge and no feature of val and test nodes; evaluation reads them", async () => {
  const data = await taskData();
  const [part] = data.graph.parts;
  const isSeen = (node: number) => data.split[node] === 1;
  // Every edge that ends outside of the training nodes now comes from node 0.
  const indices = part!.indices.map((src) => (isSeen(src) ? src : 0));
  const rewired = { ...data, graph: { ...data.graph, parts: [{ ...part!, indices }] } };
  const train = { epochs: 3, batchSize: 64, optimizer: adam };
  const task = { ...tasks.inductive, inductive: true };
  const run = async (given: TrainingData) => {
    const features = { transforms: ["standardize" as const] };
    const options = { ...optionsOf({ model, sampling, train, features }), task };
    return (await trainRanks(given, options, 1))[0]!;
  };
  const one = await run(data);
  const other = await run(rewired);
  expect(seriesOf(other, "train/loss")).toEqual(seriesOf(one, "train/loss"));
  expect(seriesOf(other, "val/loss")).not.toEqual(seriesOf(one, "val/loss"));
});

test("a weight that becomes infinite is named, with the layer that it spoils", async () => {
  const events: StepEvent[] = [];
  const data = await taskData();
  const options = { task: tasks.mse, model, sampling, train: { epochs: 3 } };
  const trainer = await Trainer.create({ data, options });
  const [{ variable, name }] = trainer.model.variables as never as [
    { variable: { dataSync(): Float32Array }; name: string },
  ];
  variable.dataSync()[0] = Number.POSITIVE_INFINITY;
  await expect(trainer.fit({ onEvent: (event) => events.push(event) })).rejects.toMatchObject({
    code: "TRAIN_DIVERGED",
    message: expect.stringContaining(`the weight ${name} is not a finite number`),
  });
  trainer.dispose();
});
