import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test, vi } from "vitest";
import type { ArtifactDir, StepEvent } from "../../src/index.ts";
import { readNpy } from "../../src/io/npy.ts";
import { type NamedTensor, readSafetensors } from "../../src/io/safetensors.ts";
import { modelInfo } from "../../src/spec/model-info.ts";
import { remappedInfo } from "../../src/spec/result-info.ts";
import { exportStep } from "../../src/steps/export.step.ts";
import { inferStep } from "../../src/steps/infer.step.ts";
import { ingestStep } from "../../src/steps/ingest.step.ts";
import { partitionStep } from "../../src/steps/partition.step.ts";
import { remapStep } from "../../src/steps/remap.step.ts";
import { trainStep } from "../../src/steps/train.step.ts";
import { type Matrix, mapped, matrix, matrixOf, plus, scaled, times } from "../support/dense-graph.ts";
import { filesArtifact, runStep } from "../support/run-step.ts";
import { runStepRanks } from "../support/run-step-ranks.ts";
import { ringMapping as mapping, ringTables, ringTask as task } from "./support/rings.ts";

// Some seconds of work in all, which a machine with other work may stretch.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const trainOptions = {
  task,
  features: { transforms: ["standardize"] },
  model: { type: "gin", options: { hiddenFeats: 16, numLayers: 2, dropout: 0.1 } },
  sampling: { type: "full" },
  train: { epochs: 3, batchSize: 8, optimizer: { type: "sgd", options: { lr: 0.02 } } },
};
const classes = ["chords", "plain"];
const unsplit = { partition: { type: "random", options: { numParts: 2 } }, graphs: { folds: null } };

interface GraphsToApplyTo {
  readonly graph: ArtifactDir;
  readonly parts: ArtifactDir;
}

async function graphsOf(
  files: Record<string, string>,
  graphs: object,
  cut: object = unsplit,
): Promise<GraphsToApplyTo> {
  const graph = await runStep(ingestStep, { files: await filesArtifact(files) }, { ...mapping, graphs });
  return { graph, parts: await runStep(partitionStep, { graph }, cut) };
}

let first: GraphsToApplyTo;
let model: ArtifactDir;
/** 60 graphs that the model has never seen, and of which nothing is known */
let later: GraphsToApplyTo;
beforeAll(async () => {
  const folds = { ...unsplit, graphs: { folds: { test: "0", val: null } } };
  first = await graphsOf(ringTables(48), mapping.graphs, folds);
  model = await runStepRanks(trainStep, { parts: first.parts }, trainOptions, { worldSize: 1 });
  later = await graphsOf(ringTables(60, 4), { files: ["graphs.csv"], id: "graph" });
});

async function applied(to: GraphsToApplyTo, options: object = {}, worldSize = 1, numHosts = 1, by = model) {
  const events: StepEvent[] = [];
  const inferred = await runStepRanks(inferStep, { parts: to.parts, model: by }, options, { worldSize, numHosts });
  const remapped = await runStep(
    remapStep,
    { ...to, inferred },
    { classes },
    { onEvent: (event) => events.push(event) },
  );
  const { values: logits } = await readNpy(join(remapped.dir, "logits.npy"), "float32");
  const warnings = events.flatMap((event) => (event.type === "log" && event.level === "warn" ? [event] : []));
  return { remapped, logits, warnings, metrics: remappedInfo.parse(remapped.manifest.info).metrics };
}

/** Logits of a graph from its own rows and edges alone, by matrices in double precision. */
function denseLogits(weights: ReadonlyMap<string, NamedTensor>, x: Matrix, adjacency: Matrix): number[] {
  const weight = (name: string) => {
    const { values, shape } = weights.get(name)!;
    return matrixOf(values, shape.at(-1)!);
  };
  const relu = (rows: Matrix) => mapped(rows, (value) => Math.max(0, value));
  const linear = (rows: Matrix, name: string) => {
    const [bias] = weight(`${name}.bias`);
    return times(rows, weight(`${name}.weight`)).map((row) => row.map((value, i) => value + bias![i]!));
  };
  let rows = x;
  for (const layer of ["layers.0", "layers.1"]) {
    const own = scaled(rows, 1 + weight(`${layer}.epsilon`)[0]![0]!);
    const sums = plus(own, times(adjacency, rows));
    // An activation stands behind the encoder's last layer, too.
    rows = relu(linear(relu(linear(sums, `${layer}.mlp.0`)), `${layer}.mlp.1`));
  }
  const readOut = [rows.reduce((sum, row) => sum.map((value, i) => value + row[i]!))];
  return linear(relu(linear(readOut, "head.0")), "head.1")[0]!;
}

/** Features and adjacency of each graph, straight from the tables */
function graphsOfTables(files: Record<string, string>, transforms: ReadonlyMap<string, NamedTensor>) {
  const rowsOf = (name: string) =>
    files[name]!.trim()
      .split("\n")
      .slice(1)
      .map((line) => line.split(","));
  const [mean, scale] = ["0.mean", "0.scale"].map((name) => transforms.get(name)!.values as Float32Array);
  const edges = rowsOf("edges.csv");
  const nodes = rowsOf("nodes.csv");
  return [...new Set(nodes.map(([, graph]) => graph!))].map((id) => {
    const own = nodes.filter(([, graph]) => graph === id);
    const oneHot = (kind: string) => ["a", "b"].map((one) => (one === kind ? 1 : 0));
    const x = own.map(([, , kind]) => oneHot(kind!).map((value, i) => (value - mean![i]!) / scale![i]!));
    const adjacency = matrix(own.length, own.length, () => 0);
    for (const [, src, dst] of edges.filter(([graph, from, to]) => graph === id && from !== to)) {
      adjacency[Number(src)]![Number(dst)] = 1;
      adjacency[Number(dst)]![Number(src)] = 1;
    }
    return { id, x, adjacency };
  });
}

test("graphs that the model has never seen have the logits of a pass over each alone, and nothing need be known of them", async () => {
  const { remapped, logits, metrics, warnings } = await applied(later);
  const { tensors: weights } = await readSafetensors(join(model.dir, "model.safetensors"));
  const { tensors: transforms } = await readSafetensors(join(model.dir, "transforms.safetensors"));
  const graphs = graphsOfTables(ringTables(60, 4), transforms);
  expect(graphs).toHaveLength(60);
  for (const [g, { x, adjacency }] of graphs.entries()) {
    for (const [i, expected] of denseLogits(weights, x, adjacency).entries())
      expect(Math.abs(logits[2 * g + i]! - expected)).toBeLessThan(1e-5 * Math.max(1, Math.abs(expected)));
  }
  expect(Object.values(metrics).every((value) => value === null || Number.isNaN(value))).toBe(true);
  expect(warnings).toEqual([]);

  const formats = ["csv", "jsonl", "parquet"];
  const inputs = { graph: later.graph, remapped };
  const { dir } = await runStep(exportStep, inputs, { predictions: { formats }, embeddings: { formats: ["csv"] } });
  const [head, ...rows] = (await readFile(join(dir, "predictions.csv"), "utf8")).trim().split("\n");
  expect(head).toBe("id,split,label,predicted,confidence,p_chords,p_plain");
  expect(rows.map((row) => row.split(",")[0])).toEqual(graphs.map(({ id }) => id));
  for (const row of rows) expect(row).toMatch(/^g\d+,none,,(chords|plain),/);
});

test.each([
  ["two ranks that share the graphs", {}, 1],
  ["two ranks that hold a part each", { graph: "partitioned" }, 1],
  ["two hosts that hold a part each", { graph: "partitioned" }, 2],
])("%s give them the bits of one rank", async (_name, options, numHosts) => {
  expect((await applied(later, options, 2, numHosts)).logits).toEqual((await applied(later)).logits);
});

test("on the graphs that it was trained on, the model's figures are those of its training", async () => {
  const { metrics } = await applied(first);
  const trained = modelInfo.parse(model.manifest.info).metrics;
  const counted = Object.entries(metrics).filter(([name]) => /^(val|test)\//.test(name));
  expect(counted.length).toBe(2);
  for (const [name, value] of counted) expect(trained[name]).toBeCloseTo(value!, 6);
});

test("classes are counted as the model learnt them, and one that it does not know counts as none and is named", async () => {
  const files = ringTables(48);
  const renamed = { ...files, "graphs.csv": files["graphs.csv"]!.replaceAll("chords", "a ring with chords") };
  const asFirst = { ...unsplit, graphs: { folds: { test: "0", val: null } } };
  const others = await graphsOf(renamed, mapping.graphs, asFirst);
  const { remapped, logits, warnings } = await applied(others);
  expect(logits).toEqual((await applied(first)).logits);
  expect(warnings.map(({ fields }) => fields)).toEqual([{ classes: "a ring with chords", numClasses: 1, rows: 24 }]);
  const { values: labels } = await readNpy(join(remapped.dir, "labels.npy"), "int32");
  // "plain" is the second class of the model, and the second here, too.
  expect([...labels]).toEqual(Array.from({ length: 48 }, (_, g) => (g % 2 === 1 ? -1 : 1)));
});

test("numbers of graphs come in the units that the model learnt, without any to compare them with", async () => {
  const numbers = { ...trainOptions, task: { ...task, type: "graphRegression", target: "degree", readout: "mean" } };
  const regression = await runStepRanks(trainStep, { parts: first.parts }, numbers, { worldSize: 1 });
  const { remapped, logits } = await applied(later, {}, 1, 1, regression);
  expect(logits).toHaveLength(60);
  // Numbers of the training graphs lie between 120 and 140.
  for (const value of logits) expect(value).toBeGreaterThan(90);
  const inputs = { graph: later.graph, remapped };
  const { dir } = await runStep(exportStep, inputs, { predictions: { formats: ["csv"] } });
  const [head, row] = (await readFile(join(dir, "predictions.csv"), "utf8")).split("\n");
  expect(head).toBe("id,split,target_degree,predicted_degree");
  expect(row).toMatch(/^g0,none,,1\d\d\./);
});
