import { datasetSpec, resolveJobSpec } from "@hopwise/contracts";
import { type JobPreset, jobPresets, loadRegistry, presetCalled } from "@hopwise/gnn-core/spec";
import { expect, test } from "vitest";
import { trainingSpec } from "../../demo/job-spec.ts";

const edges = { files: ["edges.csv"], src: "src", dst: "dst" };
const nodes = { files: ["nodes.csv"], id: "id", label: "topic", split: "split" };
const proposed = { reason: "Few labels.", preset: presetCalled("few-labels-gcn") };
const graph = (train: number) => ({ numNodes: 10_000, splits: [{ split: "train", count: train }], proposed });
/** Whole graphs and edges with labels have several tasks, of which their presets name none. */
const isOfNodes = ({ spec }: JobPreset) => spec.task === undefined || spec.task.type !== undefined;
const drawsFromBefore = ({ spec }: JobPreset) => spec.sampling?.type === "temporal";

test("every preset gives a spec that the service accepts", async () => {
  const registry = await loadRegistry();
  for (const { name, spec } of jobPresets.filter((preset) => isOfNodes(preset) && !drawsFromBefore(preset))) {
    const made = trainingSpec("ds_1@1", datasetSpec.parse({ edges, nodes }), graph(140), name);
    const task = spec.task ?? { target: "topic" };
    expect(resolveJobSpec(made, registry)).toMatchObject({ task, resources: { ranks: 2 } });
  }
});

test("presets that draw from before a link are refused for links without times, with what to do", async () => {
  const registry = await loadRegistry();
  for (const { name } of jobPresets.filter(drawsFromBefore)) {
    const made = trainingSpec("ds_1@1", datasetSpec.parse({ edges, nodes }), graph(140), name);
    expect(() => resolveJobSpec(made, registry)).toThrow(/hold out the newest links/);
  }
});

test("presets of whole graphs and of labelled edges are refused by their names", () => {
  const others = jobPresets.filter((preset) => !isOfNodes(preset));
  expect(others.map(({ situation }) => situation)).toContain("whole-graphs");
  for (const { name } of others) {
    const made = () => trainingSpec("ds_1@1", datasetSpec.parse({ edges, nodes }), graph(140), name);
    expect(made).toThrow(`The preset ${name} is for`);
  }
});

test("without a name, the preset that the service proposes is taken", () => {
  const spec = datasetSpec.parse({ edges, nodes });
  expect(trainingSpec("ds_1@1", spec, graph(140), null)).toMatchObject(proposed.preset.spec);
  expect(trainingSpec("ds_1@1", spec, graph(140), "large-sage").model).toEqual(presetCalled("large-sage").spec.model);
});

test("without a split column the split is random", () => {
  const spec = datasetSpec.parse({ edges, nodes: { ...nodes, split: null } });
  expect(trainingSpec("ds_1@1", spec, graph(0), null).split).toEqual({ type: "random" });
});

test("without labels a preset that names its task gives embeddings, and others say what is missing", () => {
  const spec = datasetSpec.parse({ edges, nodes: { ...nodes, label: null } });
  expect(trainingSpec("ds_1@1", spec, graph(0), "embed")).toMatchObject({
    task: { type: "deepGraphInfomax" },
    outputs: { embeddings: { formats: ["parquet"] } },
  });
  expect(() => trainingSpec("ds_1@1", spec, graph(0), null)).toThrow("no label column");
});
