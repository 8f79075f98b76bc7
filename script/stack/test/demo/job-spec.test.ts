import { datasetSpec, resolveJobSpec } from "@hopwise/contracts";
import { loadRegistry } from "@hopwise/gnn-core/spec";
import { expect, test } from "vitest";
import { trainingSpec } from "../../demo/job-spec.ts";

const edges = { files: ["edges.csv"], src: "src", dst: "dst" };
const nodes = { files: ["nodes.csv"], id: "id", label: "topic", split: "split" };
const graph = (train: number) => ({ numNodes: 10_000, splits: [{ split: "train", count: train }] });

test("every preset gives a spec that the service accepts", async () => {
  const registry = await loadRegistry();
  for (const preset of ["quick", "citation", "large"]) {
    const spec = trainingSpec("ds_1@1", datasetSpec.parse({ edges, nodes }), graph(140), preset);
    expect(resolveJobSpec(spec, registry)).toMatchObject({ task: { target: "topic" }, resources: { ranks: 2 } });
  }
});

test("few labels choose the citation preset, many the large one", () => {
  const spec = datasetSpec.parse({ edges, nodes });
  expect(trainingSpec("ds_1@1", spec, graph(140), null).train?.epochs).toBe(200);
  expect(trainingSpec("ds_1@1", spec, graph(6000), null).train?.epochs).toBe(30);
});

test("without a split column the split is random", () => {
  const spec = datasetSpec.parse({ edges, nodes: { ...nodes, split: null } });
  expect(trainingSpec("ds_1@1", spec, graph(0), null).split).toEqual({ type: "random" });
});

test("without labels there is nothing to train on", () => {
  const spec = datasetSpec.parse({ edges, nodes: { ...nodes, label: null } });
  expect(() => trainingSpec("ds_1@1", spec, graph(0), null)).toThrow("no label column");
});
