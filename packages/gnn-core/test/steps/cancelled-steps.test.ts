import { beforeAll, expect, test } from "vitest";
import type { ArtifactDir, StepComponent } from "../../src/index.ts";
import { loadRegistry } from "../../src/spec/index.ts";
import { filesArtifact, runStep } from "../support/run-step.ts";

const numNodes = 40;
const field = (node: number) => (node % 2 === 0 ? "a" : "b");
const splitOf = (node: number) => ["train", "train", "val", "test"][node % 4];
const nodes = Array.from({ length: numNodes }, (_, node) => `n${node},${field(node)},${splitOf(node)},${node % 2}`);
const edges = Array.from({ length: numNodes }, (_, node) => `n${node},n${(node + 2) % numNodes}`);

/** What each step gets: the options of a small job. Kinds of artifacts come from the steps before it. */
const options: Record<string, unknown> = {
  map: {},
  ingest: {
    edges: { files: ["edges.csv"], src: "src", dst: "dst" },
    nodes: { files: ["nodes.csv"], id: "id", label: "label", split: "split", features: { columns: ["x"] } },
  },
  partition: { partition: { type: "random", options: { numParts: 1 } } },
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

const artifacts: Record<string, ArtifactDir> = {};
const steps: Record<string, StepComponent> = {};
const inputsOf = (step: StepComponent) => Object.fromEntries(step.inputs.map((kind) => [kind, artifacts[kind]!]));

beforeAll(async () => {
  const registry = await loadRegistry();
  const contents = {
    "nodes.csv": `id,label,split,x\n${nodes.join("\n")}\n`,
    "edges.csv": `src,dst\n${edges.join("\n")}\n`,
  };
  artifacts["files"] = await filesArtifact(contents);
  for (const name of Object.keys(options)) {
    const step = registry.get("step", name);
    steps[name] = step;
    artifacts[step.output] = await runStep(step, inputsOf(step), options[name]);
  }
}, 60_000);

test("the table above has every step there is", async () => {
  const names = (await loadRegistry()).list("step").map(({ name }) => name);
  expect(Object.keys(options).toSorted()).toEqual(names.toSorted());
});

test.each(Object.keys(options))("%s ends with CANCELLED when its signal is aborted", async (name) => {
  const step = steps[name]!;
  const running = runStep(step, inputsOf(step), options[name], { signal: AbortSignal.abort() });
  await expect(running).rejects.toMatchObject({ name: "GnnError", code: "CANCELLED" });
});
