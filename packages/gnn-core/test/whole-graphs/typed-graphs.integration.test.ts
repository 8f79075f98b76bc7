import { beforeAll, expect, test, vi } from "vitest";
import type { ArtifactDir, StepEvent } from "../../src/index.ts";
import { modelInfo } from "../../src/spec/model-info.ts";
import { ingestStep } from "../../src/steps/ingest.step.ts";
import { partitionStep } from "../../src/steps/partition.step.ts";
import { trainStep } from "../../src/steps/train.step.ts";
import { filesArtifact, runStep } from "../support/run-step.ts";
import { runStepRanks } from "../support/run-step-ranks.ts";

// Some seconds of work in all, which a machine with other work may stretch.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const numGraphs = 48;
const size = 6;

/** Rings of six nodes that are all alike; in every second one the bonds alternate, in the others three follow three. */
function rings(): Record<string, string> {
  const pairs: string[] = [];
  const bonds: number[] = [];
  const nodes: number[] = [];
  const folds = ["graph,fold"];
  for (let g = 0; g < numGraphs; g++) {
    for (let i = 0; i < size; i++) {
      const [a, b] = [g * size + i + 1, g * size + ((i + 1) % size) + 1];
      const bond = g % 2 === 0 ? i % 2 : Math.floor(i / 3);
      pairs.push(`${a}, ${b}`, `${b}, ${a}`);
      bonds.push(bond, bond);
      nodes.push(g + 1);
    }
    folds.push(`${g + 1},${Math.floor(g / 2) % 4}`);
  }
  const text = (rows: readonly (string | number)[]) => `${rows.join("\n")}\n`;
  return {
    "R_A.txt": text(pairs),
    "R_graph_indicator.txt": text(nodes),
    "R_graph_labels.txt": text(Array.from({ length: numGraphs }, (_, g) => g % 2)),
    "R_node_labels.txt": text(nodes.map(() => 6)),
    "R_edge_labels.txt": text(bonds),
    "folds.csv": text(folds),
  };
}

let parts: ArtifactDir;
beforeAll(async () => {
  const tu = {
    edges: "R_A.txt",
    graphIndicator: "R_graph_indicator.txt",
    graphLabels: "R_graph_labels.txt",
    nodeLabels: "R_node_labels.txt",
    edgeLabels: "R_edge_labels.txt",
    foldFile: { files: ["folds.csv"], graph: "graph", fold: "fold" },
  };
  const graph = await runStep(ingestStep, { files: await filesArtifact(rings()) }, { tu });
  const graphs = { folds: { test: "0", val: null } };
  parts = await runStep(partitionStep, { graph }, { partition: { type: "random", options: { numParts: 2 } }, graphs });
});

async function train(model: string, { worldSize = 1, epochs = 60, more = {} } = {}) {
  const options = {
    task: { type: "graphClassification", target: "label", dim: 16, hiddenFeats: 16, testFold: "0" },
    model: { type: model, options: { hiddenFeats: 16, numLayers: 2, dropout: 0 } },
    sampling: { type: "full" },
    train: { epochs, batchSize: 12, optimizer: { type: "adam", options: { lr: 0.01 } } },
    ...more,
  };
  const events: StepEvent[] = [];
  const onEvent = (event: StepEvent) => events.push(event);
  const trained = await runStepRanks(trainStep, { parts }, options, { worldSize, numHosts: 1, onEvent });
  const losses = events.flatMap((event) => (event.type === "metrics" ? [event.values["train/loss"] ?? []].flat() : []));
  return { losses, metrics: modelInfo.parse(trained.manifest.info).metrics };
}

test.each(["rgcn", "rsage", "rgat", "hgt"])(
  "%s learns classes of graphs that only types of edges tell apart",
  async (model) => {
    const { metrics } = await train(model);
    expect(metrics["test/accuracy"]).toBe(1);
  },
);

test.each(["gin", "gat"])("%s reads no types of edges, so that the graphs are all alike to it", async (model) => {
  const { metrics } = await train(model, { epochs: 10 });
  expect(metrics["test/accuracy"]).toBe(0.5);
});

test("simpleHgn weighs neighbours by their types, and of neighbours that are all alike any weights make the same mean", async () => {
  const { metrics } = await train("simpleHgn", { epochs: 10 });
  expect(metrics["test/accuracy"]).toBe(0.5);
});

test.each([
  ["that share the graph", {}],
  ["that hold a part each", { graph: "partitioned" }],
])("two ranks %s have the losses of one, types of edges told apart", async (_name, more) => {
  const bySgd = { train: { epochs: 4, batchSize: 12, optimizer: { type: "sgd", options: { lr: 0.02 } } } };
  const one = await train("rgcn", { more: bySgd });
  const two = await train("rgcn", { worldSize: 2, more: { ...bySgd, ...more } });
  expect(two.losses).toHaveLength(4);
  for (const [epoch, loss] of two.losses.entries()) expect(Math.abs(loss / one.losses[epoch]! - 1)).toBeLessThan(1e-5);
});
