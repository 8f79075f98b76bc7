import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test, vi } from "vitest";
import type { ArtifactDir, StepEvent } from "../../src/index.ts";
import { readNpy } from "../../src/io/npy.ts";
import { type NamedTensor, readSafetensors } from "../../src/io/safetensors.ts";
import { splitEdgesInfo } from "../../src/spec/edge-rows-options.ts";
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
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const trainOptions = {
  task,
  model: { type: "sage", options: { hiddenFeats: 16, numLayers: 1, dropout: 0 } },
  sampling: { type: "full" },
  train: { epochs: 4, batchSize: 64, optimizer: { options: { lr: 0.03 } } },
};
const classes = ["alike", "unlike"];
const applied = { split: { type: "given" }, applied: { classes } };
const first = plantedEdges();
/** More nodes and edges */
const later = plantedEdges(70, 800);
const bare = later.edges.replaceAll(/,(alike|unlike),/g, ",,");

async function ingested(planted: { nodes: string; edges: string }): Promise<ArtifactDir> {
  return runStep(
    ingestStep,
    { files: await filesArtifact({ "edges.csv": planted.edges, "nodes.csv": planted.nodes }) },
    mapping,
  );
}

const cutOf = (graph: ArtifactDir) =>
  runStep(partitionStep, { graph }, { partition: { type: "random", options: { numParts: 2 } } });

let graph: ArtifactDir;
let edgeRows: ArtifactDir;
let model: ArtifactDir;
beforeAll(async () => {
  graph = await ingested(first);
  edgeRows = await runStep(splitEdgesStep, { graph }, { split });
  const parts = await cutOf(graph);
  model = await runStepRanks(trainStep, { parts, edgeRows }, trainOptions, { worldSize: 1 });
});

/** What the stages of a job make that applies the model. */
async function apply(to: ArtifactDir, { options = {}, worldSize = 1, numHosts = 1, by = model } = {}) {
  const warnings: StepEvent[] = [];
  const onEvent = (event: StepEvent) => {
    if (event.type === "log" && event.level === "warn") warnings.push(event);
  };
  const rows = await runStep(splitEdgesStep, { graph: to, model: by }, applied, { onEvent });
  const parts = await cutOf(to);
  const inferred = await runStepRanks(inferStep, { parts, model: by }, options, { worldSize, numHosts });
  const remapped = await runStep(remapStep, { graph: to, parts, inferred }, {}, { onEvent });
  const edgePredictions = await runStep(predictEdgesStep, { edgeRows: rows, model: by, remapped }, {});
  const { values: logits } = await readNpy(join(edgePredictions.dir, "logits.npy"), "float32");
  const inputs = { graph: to, remapped, edgeRows: rows, edgePredictions };
  const { dir } = await runStep(exportStep, inputs, { predictions: { formats: ["csv", "jsonl", "parquet"] } });
  const lines = (await readFile(join(dir, "predictions.csv"), "utf8")).trim().split("\n");
  const { metrics } = edgePredictionsInfo.parse(edgePredictions.manifest.info);
  return { rows, logits, warnings, metrics, lines: lines.map((line) => line.split(",")) };
}

/** Logits of the edges of tables by loops in double precision: one layer of SAGE, the two ends, the amount. */
function denseLogits(
  { nodes, edges }: { nodes: string; edges: string },
  weights: ReadonlyMap<string, NamedTensor>,
  scaling: { mean: number[]; scale: number[] },
) {
  const rowsOf = (text: string) =>
    text
      .trim()
      .split("\n")
      .slice(1)
      .map((line) => line.split(","));
  const weight = (name: string) => {
    const { values, shape } = weights.get(name)!;
    return { at: (i: number, j: number) => values[i * shape.at(-1)! + j] as number, width: shape.at(-1)! };
  };
  const linear = (row: number[], name: string) => {
    const w = weight(name);
    return Array.from({ length: w.width }, (_, j) => row.reduce((sum, value, i) => sum + value * w.at(i, j), 0));
  };
  const added = (a: number[], b: number[]) => a.map((value, i) => value + b[i]!);
  const biasOf = (name: string) => [...(weights.get(name)!.values as Float32Array)];
  const x = new Map(rowsOf(nodes).map(([id, ...values]) => [id!, values.map((value) => Math.fround(Number(value)))]));
  const heard = new Map<string, number[][]>();
  for (const [from, to] of rowsOf(edges)) heard.set(to!, [...(heard.get(to!) ?? []), x.get(from!)!]);
  const meanOf = (rows: number[][]) =>
    [0, 1].map((i) => rows.reduce((sum, row) => sum + row[i]!, 0) / Math.max(1, rows.length));
  const h = (id: string) => {
    const neighbours = linear(meanOf(heard.get(id) ?? []), "layers.0.weightNeigh");
    return added(added(linear(x.get(id)!, "layers.0.weightSelf"), neighbours), biasOf("layers.0.bias"));
  };
  return rowsOf(edges).flatMap(([from, to, amount]) => {
    const feature = (Math.fround(Number(amount)) - scaling.mean[0]!) / scaling.scale[0]!;
    const hidden = added(linear([...h(from!), ...h(to!), feature], "head.0.weight"), biasOf("head.0.bias"));
    return added(
      linear(
        hidden.map((value) => Math.max(0, value)),
        "head.1.weight",
      ),
      biasOf("head.1.bias"),
    );
  });
}

test("edges without a label, among nodes that are new, have the logits of loops over the tables, amounts as they were scaled in training", async () => {
  const graphOf = await ingested({ nodes: later.nodes, edges: bare });
  const { logits, lines, metrics, warnings } = await apply(graphOf);
  const { tensors } = await readSafetensors(join(model.dir, "model.safetensors"));
  const scaling = splitEdgesInfo.parse(edgeRows.manifest.info).featureScaling!;
  const expected = denseLogits({ nodes: later.nodes, edges: bare }, tensors, scaling);
  expect(logits).toHaveLength(expected.length);
  for (const [i, value] of expected.entries())
    expect(Math.abs(logits[i]! - value)).toBeLessThan(1e-5 * Math.max(1, Math.abs(value)));
  expect(lines[0]).toEqual(["source", "target", "split", "label", "predicted", "confidence", "p_alike", "p_unlike"]);
  const given = bare.trim().split("\n").slice(1);
  expect(lines.slice(1).map(([source, target]) => `${source},${target}`)).toEqual(
    given.map((line) => line.split(",").slice(0, 2).join(",")),
  );
  expect(new Set(lines.slice(1).map(([, , side, label]) => `${side} ${label}`))).toEqual(new Set(["none "]));
  expect(Object.values(metrics).every((value) => value === null || Number.isNaN(value))).toBe(true);
  expect(warnings).toEqual([]);
});

test("two ranks that share the graph give them the bits of one rank, and ranks that hold a part each the same rows to 1e-5", async () => {
  const graphOf = await ingested({ nodes: later.nodes, edges: bare });
  const alone = await apply(graphOf);
  expect((await apply(graphOf, { worldSize: 2 })).logits).toEqual(alone.logits);
  for (const numHosts of [1, 2]) {
    const { logits } = await apply(graphOf, { options: { graph: "partitioned" }, worldSize: 2, numHosts });
    expect(logits).toHaveLength(alone.logits.length);
    for (const [i, value] of alone.logits.entries())
      expect(Math.abs(logits[i]! - value)).toBeLessThan(1e-5 * Math.max(1, Math.abs(value)));
  }
});

test("on the edges that it was trained on, the model predicts what its training's job did", async () => {
  const parts = await cutOf(graph);
  const inferred = await runStepRanks(inferStep, { parts, model }, {}, { worldSize: 1 });
  const remapped = await runStep(remapStep, { graph, parts, inferred }, {});
  const trained = await runStep(predictEdgesStep, { edgeRows, model, remapped }, {});
  const { values } = await readNpy(join(trained.dir, "logits.npy"), "float32");
  expect((await apply(graph)).logits).toEqual(values);
});

test("classes are counted as the model learnt them, and one that it does not know counts as none and is named", async () => {
  const renamed = await ingested({ nodes: first.nodes, edges: first.edges.replaceAll(",alike,", ",much alike,") });
  const { rows, logits, lines, warnings } = await apply(renamed);
  expect(logits).toEqual((await apply(graph)).logits);
  expect(splitEdgesInfo.parse(rows.manifest.info).classes).toEqual(classes);
  const count = first.edges.match(/,alike,/g)!.length;
  expect(warnings).toMatchObject([{ fields: { classes: "much alike", numClasses: 1, rows: count } }]);
  expect(new Set(lines.slice(1).map((line) => line[3]))).toEqual(new Set(["", "unlike"]));
});

test("numbers of edges come in the units that the model learnt", async () => {
  const numbers = { ...trainOptions, task: { ...task, type: "edgeRegression", target: "score" } };
  const parts = await cutOf(graph);
  const regression = await runStepRanks(trainStep, { parts, edgeRows }, numbers, { worldSize: 1 });
  const unknown = later.edges.replaceAll(/,[-\d.]+$/gm, ",");
  const { logits, lines } = await apply(await ingested({ nodes: later.nodes, edges: unknown }), { by: regression });
  // Scores lie between -2 and 22, and are 10 more where one end is of the second kind.
  expect(logits.reduce((sum, value) => sum + value) / logits.length).toBeGreaterThan(5);
  expect(lines[0]).toEqual(["source", "target", "split", "target_score", "predicted_score"]);
});

test("a model of an earlier release, which does not say how features were scaled, is refused with its place", async () => {
  const { edgeFeatureScaling: _, ...info } = model.manifest.info;
  const older = { ...model, manifest: { ...model.manifest, info } };
  await expect(runStep(splitEdgesStep, { graph, model: older }, applied)).rejects.toMatchObject({
    code: "SPEC_INVALID",
    place: { pointer: "/model" },
    message: expect.stringMatching(/without writing down how features of edges were standardised; train it again/),
  });
});
