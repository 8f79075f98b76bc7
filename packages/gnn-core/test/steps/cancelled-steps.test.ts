import { beforeAll, expect, test } from "vitest";
import type { ArtifactDir, StepComponent } from "../../src/index.ts";
import { loadRegistry } from "../../src/spec/index.ts";
import { filesArtifact, runStep } from "../support/run-step.ts";
import { handmade } from "./support/handmade-safetensors.ts";
import { plainCard } from "./support/plain-card.ts";

const numNodes = 40;
const field = (node: number) => (node % 2 === 0 ? "a" : "b");
const splitOf = (node: number) => ["train", "train", "val", "test"][node % 4];
const nodes = Array.from({ length: numNodes }, (_, node) => `n${node},${field(node)},${splitOf(node)},${node % 2}`);
const edges = Array.from({ length: numNodes }, (_, node) => `n${node},n${(node + 2) % numNodes},${node % 3}`);

/** What each step gets: the options of a small job. Kinds of artifacts come from the steps before it. */
const options: Record<string, unknown> = {
  map: {},
  ingest: {
    edges: { files: ["edges.csv"], src: "src", dst: "dst", label: "kind" },
    nodes: { files: ["nodes.csv"], id: "id", label: "label", split: "split", features: { columns: ["x"] } },
  },
  partition: { partition: { type: "random", options: { numParts: 1 } } },
  readVectors: { file: "nodes.csv", id: "id", columns: ["x"], dim: 1 },
  train: {
    task: { target: "label" },
    model: { type: "mlp", options: { hiddenFeats: 4, numLayers: 1 } },
    train: { epochs: 1 },
  },
  infer: {},
  remap: {},
  project: {},
  export: { embeddings: { formats: ["npy", "csv"] }, predictions: { formats: ["parquet"] } },
};

/** What the steps of a job that learns links get, from the graph on. */
const linkOptions: Record<string, unknown> = {
  splitLinks: { split: { type: "random", val: 0.2, test: 0.2 } },
  partition: { partition: { type: "random", options: { numParts: 1 } }, edges: "messages" },
  train: {
    task: { type: "linkPrediction", dim: 4, newNeighbors: 2 },
    features: { structural: { dim: 4 } },
    model: { type: "gcn", options: { hiddenFeats: 4, numLayers: 1 } },
    sampling: { type: "full" },
    train: { epochs: 1 },
  },
  infer: {},
  remap: {},
  recommend: {},
};

/** What the steps of a job that learns labels of edges get, from the parts on. */
const edgeOptions: Record<string, unknown> = {
  splitEdges: { split: { type: "random", val: 0.2, test: 0.2 } },
  train: {
    task: { type: "edgeClassification", target: "kind", dim: 4 },
    model: { type: "mlp", options: { hiddenFeats: 4, numLayers: 1 } },
    train: { epochs: 1 },
  },
  infer: {},
  remap: {},
  predictEdges: {},
};

/** What the steps of a job that applies a model with learned rows get, from the parts on. */
const rowsOptions: Record<string, unknown> = {
  train: {
    task: { target: "label" },
    features: { embedding: { dim: 2 } },
    model: { type: "mlp", options: { hiddenFeats: 4, numLayers: 1 } },
    train: { epochs: 1 },
  },
  matchRows: {},
  infer: {},
};

/** What the step that looks at an uploaded model gets: a layer of one weight. */
const modelOptions: Record<string, unknown> = {
  adopt: { info: plainCard({ inDim: 1, outDim: 1 }) },
};

type Artifacts = Record<string, ArtifactDir>;
const artifacts: Artifacts = {};
const linkArtifacts: Artifacts = {};
const edgeArtifacts: Artifacts = {};
const rowsArtifacts: Artifacts = {};
const modelArtifacts: Artifacts = {};
const steps: Record<string, StepComponent> = {};

function inputsOf(step: StepComponent, made: Artifacts): Artifacts {
  const kinds = [...step.inputs, ...(step.readsIfMade ?? []).filter((kind) => kind in made)];
  return Object.fromEntries(kinds.map((kind) => [kind, made[kind]!]));
}

beforeAll(async () => {
  const registry = await loadRegistry();
  const contents = {
    "nodes.csv": `id,label,split,x\n${nodes.join("\n")}\n`,
    "edges.csv": `src,dst,kind\n${edges.join("\n")}\n`,
  };
  artifacts["files"] = await filesArtifact(contents);
  const runAll = async (table: Record<string, unknown>, made: Artifacts) => {
    for (const [name, given] of Object.entries(table)) {
      const step = registry.get("step", name);
      steps[name] = step;
      made[step.output] = await runStep(step, inputsOf(step, made), given);
    }
  };
  await runAll(options, artifacts);
  linkArtifacts["graph"] = artifacts["graph"]!;
  await runAll(linkOptions, linkArtifacts);
  Object.assign(edgeArtifacts, { graph: artifacts["graph"], parts: artifacts["parts"] });
  await runAll(edgeOptions, edgeArtifacts);
  Object.assign(rowsArtifacts, { graph: artifacts["graph"], parts: artifacts["parts"] });
  await runAll(rowsOptions, rowsArtifacts);
  const weights = handmade([
    { name: "layers.0.weight", shape: [1, 1], values: [2] },
    { name: "layers.0.bias", shape: [1], values: [3] },
  ]);
  modelArtifacts["files"] = await filesArtifact({ "model.safetensors": weights });
  await runAll(modelOptions, modelArtifacts);
}, 60_000);

test("the tables above have every step there is", async () => {
  const names = (await loadRegistry()).list("step").map(({ name }) => name);
  const tables = [options, linkOptions, edgeOptions, rowsOptions, modelOptions].flatMap((table) => Object.keys(table));
  expect([...new Set(tables)].toSorted()).toEqual(names.toSorted());
});

test.each([
  ...Object.keys(options).map((name) => [name, "on nodes", options, artifacts] as const),
  ...Object.keys(linkOptions).map((name) => [name, "on links", linkOptions, linkArtifacts] as const),
  ...Object.keys(edgeOptions).map((name) => [name, "on edges", edgeOptions, edgeArtifacts] as const),
  ...Object.keys(rowsOptions).map((name) => [name, "with learned rows", rowsOptions, rowsArtifacts] as const),
  ...Object.keys(modelOptions).map((name) => [name, "on a model", modelOptions, modelArtifacts] as const),
])("%s of a job %s ends with CANCELLED when its signal is aborted", async (name, _kind, table, made) => {
  const step = steps[name]!;
  const running = runStep(step, inputsOf(step, made), table[name], { signal: AbortSignal.abort() });
  await expect(running).rejects.toMatchObject({ name: "GnnError", code: "CANCELLED" });
});
