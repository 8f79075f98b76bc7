import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test, vi } from "vitest";
import type { ArtifactDir, StepEvent } from "../../src/index.ts";
import { graphInfo } from "../../src/io/ingest/ingest-report.ts";
import { readNpy } from "../../src/io/npy.ts";
import { modelInfo } from "../../src/spec/model-info.ts";
import { parsePartsInfo } from "../../src/spec/parts-info.ts";
import { projectionInfo } from "../../src/spec/projection-info.ts";
import { remappedInfo } from "../../src/spec/result-info.ts";
import { exportStep } from "../../src/steps/export.step.ts";
import { inferStep } from "../../src/steps/infer.step.ts";
import { ingestStep } from "../../src/steps/ingest.step.ts";
import { partitionStep } from "../../src/steps/partition.step.ts";
import { projectStep } from "../../src/steps/project.step.ts";
import { remapStep } from "../../src/steps/remap.step.ts";
import { trainStep } from "../../src/steps/train.step.ts";
import { filesArtifact, runStep } from "../support/run-step.ts";
import { runStepRanks } from "../support/run-step-ranks.ts";
import { ringMapping as mapping, partsOfSpread, ringTables, ringTask as task } from "./support/rings.ts";

// Some seconds of work in all, which a machine with other work may stretch.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const numGraphs = 48;
const trainOptions = {
  task,
  model: { type: "gin", options: { hiddenFeats: 16, numLayers: 2, dropout: 0.1 } },
  sampling: { type: "full" },
  train: { epochs: 3, batchSize: 8, optimizer: { type: "sgd", options: { lr: 0.02 } } },
};
const graphs = { folds: { test: "0", val: null } };

function partitionOptions(type: string, numParts: number) {
  return { partition: { type, options: { numParts } }, graphs };
}

let graph: ArtifactDir;
let parts: ArtifactDir;
beforeAll(async () => {
  graph = await runStep(ingestStep, { files: await filesArtifact(ringTables(numGraphs)) }, mapping);
  parts = await runStep(partitionStep, { graph }, partitionOptions("random", 2));
});

async function train(options: object, worldSize: number, numHosts = 1, of = parts) {
  const events: StepEvent[] = [];
  const model = await runStepRanks(trainStep, { parts: of }, options, {
    worldSize,
    numHosts,
    onEvent: (event) => events.push(event),
  });
  const losses = events.flatMap((event) => (event.type === "metrics" ? [event.values["train/loss"] ?? []].flat() : []));
  return { model, losses };
}

test("the graphs are counted, with their classes, numbers and folds", () => {
  const { graphs: found, features } = graphInfo.parse(graph.manifest.info);
  expect(found).toMatchObject({
    numGraphs,
    idType: "string",
    classes: ["chords", "plain"],
    labelCounts: [
      { label: "chords", count: numGraphs / 2 },
      { label: "plain", count: numGraphs / 2 },
    ],
    targets: [{ name: "degree", count: numGraphs }],
    folds: ["0", "1", "2", "3"].map((name) => ({ name, count: numGraphs / 4 })),
  });
  expect(found!.nodes.min).toBeGreaterThanOrEqual(4);
  expect(features).toMatchObject({ dim: 2, oneHot: [{ name: "kind", values: ["a", "b"] }] });
});

test.each(["random", "range", "metis", "streaming"])("parts of %s keep every graph whole", async (type) => {
  const cut = type === "random" ? parts : await runStep(partitionStep, { graph }, partitionOptions(type, 2));
  const info = parsePartsInfo(cut);
  expect(info.report.edgeCut).toBe(0);
  expect(info.graphs!.splits).toEqual({ train: 24, val: 12, test: 12, none: 0 });
  const { values: offsets } = await readNpy(join(cut.dir, "graphs/offsets.npy"), "int32");
  // A part begins where a graph does.
  for (const first of info.nodeOffsets) expect(offsets).toContain(first);
  const [first, second] = info.report.parts;
  expect(Math.max(first!.nodes, second!.nodes)).toBeLessThan(0.75 * info.numNodes);
  expect(partsOfSpread(offsets)).toBe(numGraphs);
});

test("graphs whose nodes have no features are learnt by degrees, on one rank and on two, and inferred as they were trained", async () => {
  const { nodes, ...others } = mapping;
  const { features: _, ...bare } = nodes;
  const files = await filesArtifact(ringTables(numGraphs));
  const ofEdges = await runStep(ingestStep, { files }, { ...others, nodes: bare });
  const cut = await runStep(partitionStep, { graph: ofEdges }, partitionOptions("random", 2));
  const options = { ...trainOptions, features: { structural: { method: "degree", dim: 8 } } };
  const [one, two] = [await train(options, 1, 1, cut), await train(options, 2, 1, cut)];
  expect(one.losses).toHaveLength(3);
  for (const [i, loss] of one.losses.entries()) expect(two.losses[i]).toBeCloseTo(loss, 4);
  const inferred = await runStepRanks(inferStep, { parts: cut, model: one.model }, {}, { worldSize: 1 });
  expect((await readNpy(join(inferred.dir, "logits.npy"), "float32")).shape).toEqual([numGraphs, 2]);
});

test("more parts than graphs are refused", async () => {
  const found = runStep(partitionStep, { graph }, partitionOptions("range", numGraphs + 1));
  await expect(found).rejects.toMatchObject({
    code: "SPEC_INVALID",
    place: { pointer: "/partition/options/numParts" },
  });
});

describe("a class of graphs", () => {
  let one: Awaited<ReturnType<typeof train>>;
  beforeAll(async () => {
    one = await train(trainOptions, 1);
  });

  test.each([
    ["two ranks that share the graph", {}, 1],
    ["two ranks that hold a part each", { graph: "partitioned" }, 1],
    ["two hosts that hold a part each", { graph: "partitioned" }, 2],
  ])("%s have the losses of one rank", async (_name, more, numHosts) => {
    const two = await train({ ...trainOptions, ...more }, 2, numHosts);
    expect(two.losses).toHaveLength(one.losses.length);
    for (const [epoch, loss] of two.losses.entries())
      expect(Math.abs(loss / one.losses[epoch]! - 1)).toBeLessThan(1e-5);
    const [metrics, expected] = [two, one].map(({ model }) => modelInfo.parse(model.manifest.info).metrics);
    for (const [name, value] of Object.entries(expected!)) expect(metrics![name]).toBeCloseTo(value!, 3);
  });

  test("is written by the user's ids of graphs, and the files have the metrics that training counted", async () => {
    const inferred = await runStepRanks(inferStep, { parts, model: one.model }, {}, { worldSize: 2 });
    const remapped = await runStep(remapStep, { graph, parts, inferred }, {});
    const { numNodes, dim, metrics, classes } = remappedInfo.parse(remapped.manifest.info);
    expect([numNodes, dim, classes]).toEqual([numGraphs, 16, ["chords", "plain"]]);
    const trained = modelInfo.parse(one.model.manifest.info);
    expect(metrics["test/accuracy"]).toBeCloseTo(trained.metrics["test/accuracy"]!, 6);
    expect(trained.confusion!.classes).toEqual(["chords", "plain"]);
    const formats = { embeddings: { formats: ["csv", "parquet", "npy"] }, predictions: { formats: ["csv"] } };
    const exported = await runStep(exportStep, { graph, remapped }, formats);
    const rows = (await readFile(join(exported.dir, "predictions.csv"), "utf8")).trim().split("\n");
    expect(rows[0]).toBe("id,split,label,predicted,confidence,p_chords,p_plain");
    expect(rows.slice(1).map((row) => row.split(",")[0])).toEqual(Array.from({ length: numGraphs }, (_, g) => `g${g}`));
    expect(rows[1]).toMatch(/^g0,test,plain,/);
    const ids = (await readFile(join(exported.dir, "ids.txt"), "utf8")).trim().split("\n");
    expect(ids).toHaveLength(numGraphs);
    const projected = await runStep(projectStep, { graph, remapped }, {});
    expect(projectionInfo.parse(projected.manifest.info).numPoints).toBe(numGraphs);
  });

  test("parts that hold each rank's own give the same rows", async () => {
    const rowsOf = async (options: object, worldSize: number) => {
      const { dir } = await runStepRanks(inferStep, { parts, model: one.model }, options, { worldSize });
      return (await readNpy(join(dir, "logits.npy"), "float32")).values;
    };
    expect(await rowsOf({ graph: "partitioned" }, 2)).toEqual(await rowsOf({}, 1));
  });
});

test("numbers of graphs are predicted in their units", async () => {
  const options = { ...trainOptions, task: { ...task, type: "graphRegression", target: "degree", readout: "mean" } };
  const { model } = await train({ ...options, train: { ...options.train, epochs: 12 } }, 1);
  const inferred = await runStepRanks(inferStep, { parts, model }, {}, { worldSize: 1 });
  const remapped = await runStep(remapStep, { graph, parts, inferred }, {});
  const { metrics } = remappedInfo.parse(remapped.manifest.info);
  expect(metrics["test/mae"]).toBeCloseTo(modelInfo.parse(model.manifest.info).metrics["test/mae"]!, 4);
  const exported = await runStep(exportStep, { graph, remapped }, { predictions: { formats: ["csv"] } });
  const [head, first] = (await readFile(join(exported.dir, "predictions.csv"), "utf8")).split("\n");
  expect(head).toBe("id,split,target_degree,predicted_degree");
  expect(Number(first!.split(",")[3])).toBeGreaterThan(90);
});

test("parts that were cut for nodes are refused", async () => {
  const cut = await runStep(partitionStep, { graph }, { partition: { type: "range", options: { numParts: 1 } } });
  await expect(train(trainOptions, 1, 1, cut)).rejects.toMatchObject({ code: "MANIFEST_INVALID" });
});
