import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test, vi } from "vitest";
import type { ArtifactDir, StepEvent } from "../../src/index.ts";
import { graphInfo } from "../../src/io/ingest/ingest-report.ts";
import { readNpy } from "../../src/io/npy.ts";
import { splitEdgesInfo } from "../../src/spec/edge-rows-options.ts";
import { modelInfo } from "../../src/spec/model-info.ts";
import { edgePredictionsInfo } from "../../src/spec/result-info.ts";
import { exportStep } from "../../src/steps/export.step.ts";
import { inferStep } from "../../src/steps/infer.step.ts";
import { ingestStep } from "../../src/steps/ingest.step.ts";
import { partitionStep } from "../../src/steps/partition.step.ts";
import { predictEdgesStep } from "../../src/steps/predict-edges.step.ts";
import { remapStep } from "../../src/steps/remap.step.ts";
import { splitEdgesStep } from "../../src/steps/split-edges.step.ts";
import { trainStep } from "../../src/steps/train.step.ts";
import { filesArtifact, runStep } from "../support/run-step.ts";
import { runStepRanks } from "../support/run-step-ranks.ts";
import {
  plantedMapping as mapping,
  plantedEdges,
  plantedSplit as split,
  plantedTask as task,
} from "./support/planted-edges.ts";

// Some seconds of work in all, which a machine with other work may stretch.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const planted = plantedEdges();
const trainOptions = {
  task,
  model: { type: "sage", options: { hiddenFeats: 16, numLayers: 2, dropout: 0 } },
  sampling: { type: "neighbor", options: { fanouts: [5, 5] } },
  train: { epochs: 16, batchSize: 64, optimizer: { options: { lr: 0.03 } } },
};

async function ingest(extra: object = {}, edges = planted.edges): Promise<ArtifactDir> {
  const files = await filesArtifact({ "edges.csv": edges, "nodes.csv": planted.nodes });
  return runStep(ingestStep, { files }, { ...mapping, ...extra });
}

async function train(inputs: Record<string, ArtifactDir>, options: object, worldSize = 1, numHosts = 1) {
  const events: StepEvent[] = [];
  const onEvent = (event: StepEvent) => events.push(event);
  const model = await runStepRanks(trainStep, inputs, options, { worldSize, numHosts, onEvent });
  const losses = events.flatMap((event) => (event.type === "metrics" ? [event.values["train/loss"] ?? []].flat() : []));
  return { model, losses, metrics: modelInfo.parse(model.manifest.info).metrics };
}

let graph: ArtifactDir;
let parts: ArtifactDir;
let edgeRows: ArtifactDir;
let one: Awaited<ReturnType<typeof train>>;

beforeAll(async () => {
  graph = await ingest();
  edgeRows = await runStep(splitEdgesStep, { graph }, { split });
  parts = await runStep(partitionStep, { graph }, { partition: { type: "random", options: { numParts: 2 } } });
  one = await train({ parts, edgeRows }, trainOptions);
});

async function linesOf({ dir }: ArtifactDir, name: string): Promise<string[][]> {
  return (await readFile(join(dir, name), "utf8"))
    .trim()
    .split("\n")
    .map((line) => line.split(","));
}

async function exportedRows(model: ArtifactDir, of: { graph: ArtifactDir; parts: ArtifactDir; edgeRows: ArtifactDir }) {
  const inferred = await runStepRanks(inferStep, { parts: of.parts, model }, {}, { worldSize: 1 });
  const remapped = await runStep(remapStep, { graph: of.graph, parts: of.parts, inferred }, {});
  const edgePredictions = await runStep(predictEdgesStep, { edgeRows: of.edgeRows, model, remapped }, {});
  const inputs = { graph: of.graph, remapped, edgeRows: of.edgeRows, edgePredictions };
  const formats = { predictions: { formats: ["csv", "parquet", "arrow"] } };
  const exported = await runStep(exportStep, inputs, formats);
  return { edgePredictions, rows: await linesOf(exported, "predictions.csv") };
}

test("the classes and numbers of the edges are counted when the graph is built", () => {
  const found = graphInfo.parse(graph.manifest.info).edgeRows!;
  expect(found).toMatchObject({ numRows: planted.numEdges, classes: ["alike", "unlike"], featureDim: 1, splits: null });
  expect(found.labelCounts.reduce((sum, { count }) => sum + count, 0)).toBe(planted.numEdges - planted.numUnknown);
  expect(found.targets).toMatchObject([{ name: "score", count: planted.numEdges }]);
});

test("a class that follows from both ends and the feature of the edge is learnt", () => {
  expect(one.metrics["test/accuracy"]).toBeGreaterThan(0.9);
  expect(modelInfo.parse(one.model.manifest.info).confusion!.classes).toEqual(["alike", "unlike"]);
});

test("without the feature of the edge, half of the class is left to chance", async () => {
  const bare = await runStep(splitEdgesStep, { graph }, { split, features: false });
  expect(splitEdgesInfo.parse(bare.manifest.info).featureDim).toBe(0);
  const options = { ...trainOptions, task: { ...task, edgeFeatures: false } };
  const { metrics } = await train({ parts, edgeRows: bare }, options);
  expect(metrics["test/accuracy"]).toBeLessThan(0.65);
});

test("two ranks on two hosts have the losses and metrics of one", async () => {
  const short = { ...trainOptions, train: { ...trainOptions.train, epochs: 4, optimizer: { type: "sgd" } } };
  const alone = await train({ parts, edgeRows }, short);
  const two = await train({ parts, edgeRows }, short, 2, 2);
  expect(two.losses).toHaveLength(4);
  for (const [epoch, loss] of two.losses.entries()) {
    expect(Math.abs(loss / alone.losses[epoch]! - 1)).toBeLessThan(1e-5);
  }
  for (const [name, value] of Object.entries(alone.metrics)) expect(two.metrics[name]).toBeCloseTo(value!, 3);
});

describe("the predictions", () => {
  let rows: string[][];
  let edgePredictions: ArtifactDir;
  beforeAll(async () => {
    ({ rows, edgePredictions } = await exportedRows(one.model, { graph, parts, edgeRows }));
  });

  test("have a row for each edge, by the user's ids and in the order of the file", () => {
    expect(rows[0]).toEqual(["source", "target", "split", "label", "predicted", "confidence", "p_alike", "p_unlike"]);
    const given = planted.edges
      .trim()
      .split("\n")
      .slice(1)
      .map((line) => line.split(","));
    expect(rows.slice(1).map(([source, target]) => `${source} ${target}`)).toEqual(
      given.map(([from, to]) => `${from} ${to}`),
    );
    expect(rows.slice(1).map((row) => row[3])).toEqual(given.map((row) => row[3]));
  });

  test("predict edges whose class is not known, and are as confident as the class they name", () => {
    const unknown = rows.slice(1).filter((row) => row[3] === "");
    expect(unknown).toHaveLength(planted.numUnknown);
    for (const [, , , , predicted, confidence, alike, unlike] of rows.slice(1)) {
      expect(confidence).toBe(predicted === "alike" ? alike : unlike);
      expect(Number(alike) + Number(unlike)).toBeCloseTo(1, 5);
    }
  });

  test("have the metrics that training told, by counting the file", () => {
    const { metrics } = edgePredictionsInfo.parse(edgePredictions.manifest.info);
    for (const side of ["val", "test"]) {
      const judged = rows.slice(1).filter((row) => row[2] === side && row[3] !== "");
      const right = judged.filter((row) => row[3] === row[4]).length / judged.length;
      expect(metrics[`${side}/accuracy`]).toBeCloseTo(right, 6);
      expect(one.metrics[`${side}/accuracy`]).toBeCloseTo(right, 6);
    }
  });
});

test("labels carry no message: other labels of held-out edges change no bit of what is learnt", async () => {
  const turned = await ingest({}, planted.withLabelsTurned(await linesOfSplit()));
  const others = await runStep(splitEdgesStep, { graph: turned }, { split });
  expect(await splitOf(others)).toEqual(await splitOf(edgeRows));
  const partition = { partition: { type: "random", options: { numParts: 2 } } };
  const cut = await runStep(partitionStep, { graph: turned }, partition);
  const options = { ...trainOptions, train: { ...trainOptions.train, epochs: 3, evaluate: { everyEpochs: 3 } } };
  const first = await train({ parts, edgeRows }, options);
  const second = await train({ parts: cut, edgeRows: others }, options);
  expect(second.losses).toEqual(first.losses);
  const logitsOf = async (
    model: ArtifactDir,
    of: { graph: ArtifactDir; parts: ArtifactDir; edgeRows: ArtifactDir },
  ) => {
    const { edgePredictions } = await exportedRows(model, of);
    return (await readNpy(join(edgePredictions.dir, "logits.npy"), "float32")).values;
  };
  const expected = await logitsOf(first.model, { graph, parts, edgeRows });
  expect(await logitsOf(second.model, { graph: turned, parts: cut, edgeRows: others })).toEqual(expected);
});

/** Rows of the edges file that are held out */
async function linesOfSplit(): Promise<number[]> {
  const split = await splitOf(edgeRows);
  return [...split.keys()].filter((row) => split[row] !== 1);
}

async function splitOf({ dir }: ArtifactDir): Promise<Int8Array> {
  return (await readNpy(join(dir, "split.npy"), "int8")).values;
}

test("numbers of edges are predicted in their units, and either direction of an undirected edge is one", async () => {
  const loose = await ingest({ directed: false });
  const rows = await runStep(splitEdgesStep, { graph: loose }, { split });
  const cut = await runStep(partitionStep, { graph: loose }, { partition: { type: "range" } });
  const options = { ...trainOptions, task: { ...task, type: "edgeRegression", target: "score" } };
  const { model, metrics } = await train({ parts: cut, edgeRows: rows }, options);
  expect(metrics["test/r2"]).toBeGreaterThan(0.8);
  const exported = await exportedRows(model, { graph: loose, parts: cut, edgeRows: rows });
  expect(exported.rows[0]).toEqual(["source", "target", "split", "target_score", "predicted_score"]);
  const judged = exported.rows.slice(1).filter((row) => row[2] === "test");
  const mae = judged.reduce((sum, row) => sum + Math.abs(Number(row[3]) - Number(row[4])), 0) / judged.length;
  expect(metrics["test/mae"]).toBeCloseTo(mae, 4);
  expect(edgePredictionsInfo.parse(exported.edgePredictions.manifest.info).metrics["test/mae"]).toBeCloseTo(mae, 4);
});

describe("splits", () => {
  const rows = [
    "a,b,1,x,train,3",
    "b,a,2,y,test,5",
    "b,c,3,x,train,1",
    "c,d,4,y,val,9",
    "d,e,5,,train,7",
    "d,a,6,y,,2",
  ];
  const given = `from,to,amount,kind,side,day\n${rows.join("\n")}\n`;
  const edges = { files: ["edges.csv"], src: "from", dst: "to", label: "kind", split: "side", time: "day" };

  async function sidesOf(choice: object): Promise<number[]> {
    const files = await filesArtifact({ "edges.csv": given });
    const built = await runStep(ingestStep, { files }, { edges, directed: true });
    return [...(await splitOf(await runStep(splitEdgesStep, { graph: built }, { split: choice })))];
  }

  test("as given put each row where it says, whatever its reverse does", async () => {
    expect(await sidesOf({ type: "given" })).toEqual([1, 3, 1, 2, 1, 0]);
  });

  test("by time hold out the newest rows", async () => {
    expect(await sidesOf({ type: "time", val: 0.17, test: 0.34 })).toEqual([1, 2, 1, 3, 3, 1]);
  });

  test("at random keep an edge and its reverse on one side", async () => {
    const sides = await sidesOf({ type: "random", val: 0.2, test: 0.4, seed: 3 });
    expect(sides[0]).toBe(sides[1]);
    expect(sides.filter((side) => side === 3).length).toBeGreaterThan(0);
  });
});

describe("what cannot be learnt is refused with its place:", () => {
  const edgesOf = (rows: readonly string[]) => `from,to,amount,kind,score\n${rows.join("\n")}\n`;

  test("a target that is infinite", async () => {
    await expect(ingest({}, edgesOf(["p0,p1,1,alike,2", "p1,p2,1,alike,1e99"]))).rejects.toMatchObject({
      code: "DATASET_VALUE_INVALID",
      place: { line: 3, field: "score" },
    });
  });

  test.each([
    ["the label among the features", { label: "amount" }, ["edges", "label"]],
    ["a target that weighs the messages", { weight: "score" }, ["edges", "targets", "0"]],
  ])("%s", async (_what, changed, path) => {
    const edges = { ...mapping.edges, ...changed };
    const found = ingestStep.options.safeParse({ ...mapping, edges });
    expect(found.error?.issues[0]?.path.map(String)).toEqual(path);
    expect(found.error?.issues[0]?.message).toContain("would see what they are to predict");
  });

  test("training edges of one class", async () => {
    const same = await ingest({}, edgesOf(Array.from({ length: 12 }, (_, i) => `p${i},p${i + 1},1,alike,2`)));
    const rows = await runStep(splitEdgesStep, { graph: same }, { split });
    const cut = await runStep(partitionStep, { graph: same }, { partition: { type: "range" } });
    await expect(train({ parts: cut, edgeRows: rows }, trainOptions)).rejects.toMatchObject({
      code: "SPEC_INVALID",
      place: { pointer: "/task/target" },
    });
  });

  test("training edges without a label", async () => {
    const bare = await ingest({}, edgesOf(Array.from({ length: 12 }, (_, i) => `p${i},p${i + 1},1,,2`)));
    const rows = await runStep(splitEdgesStep, { graph: bare }, { split });
    const cut = await runStep(partitionStep, { graph: bare }, { partition: { type: "range" } });
    await expect(train({ parts: cut, edgeRows: rows }, trainOptions)).rejects.toMatchObject({
      code: "TRAIN_NO_LABELS",
    });
  });

  test.each(["given", "time"])("a split by what the dataset does not say (%s)", async (type) => {
    await expect(runStep(splitEdgesStep, { graph }, { split: { type } })).rejects.toMatchObject({
      code: "SPEC_INVALID",
      place: { pointer: "/task/split" },
    });
  });

  test("a share that leaves a side without an edge", async () => {
    const found = runStep(splitEdgesStep, { graph }, { split: { type: "random", val: 0.0001, test: 0.2 } });
    await expect(found).rejects.toMatchObject({ code: "SPEC_INVALID", place: { pointer: "/task/split/val" } });
  });
});
