import { expect, test, vi } from "vitest";
import { ingestStep } from "../../src/steps/ingest.step.ts";
import { partitionStep } from "../../src/steps/partition.step.ts";
import { splitEdgesStep } from "../../src/steps/split-edges.step.ts";
import { expectAlikeInAllModes } from "../support/all-modes.ts";
import { filesArtifact, runStep } from "../support/run-step.ts";
import { plantedEdges } from "./support/planted-edges.ts";

// Some seconds of work in all, which a machine with other work may stretch.
vi.setConfig({ testTimeout: 120_000 });

const planted = plantedEdges();
const mapping = {
  edges: { files: ["edges.csv"], src: "from", dst: "to", features: ["amount"], label: "kind", targets: ["score"] },
  nodes: { files: ["nodes.csv"], id: "id", features: { columns: ["x", "y"] } },
  directed: true,
};
const split = { type: "random", val: 0.15, test: 0.25 };

test.each([
  ["classes", { type: "edgeClassification", target: "kind" }, "test/accuracy"],
  ["numbers", { type: "edgeRegression", target: "score" }, "test/mae"],
])("%s of edges have one loss curve and one set of metrics in all modes", async (_what, goal, metric) => {
  const files = await filesArtifact({ "edges.csv": planted.edges, "nodes.csv": planted.nodes });
  const graph = await runStep(ingestStep, { files }, mapping);
  const edgeRows = await runStep(splitEdgesStep, { graph }, { split });
  const parts = await runStep(partitionStep, { graph }, { partition: { type: "random", options: { numParts: 4 } } });
  const { metrics } = await expectAlikeInAllModes(
    { parts, edgeRows },
    {
      task: { ...goal, split, dim: 8, hiddenFeats: 8 },
      model: { type: "gcn", options: { hiddenFeats: 8, numLayers: 2, dropout: 0.2 } },
      sampling: { type: "neighbor", options: { fanouts: [4, 4] } },
      train: { epochs: 3, batchSize: 64, optimizer: { options: { lr: 0.02 } } },
    },
  );
  expect(metrics[metric]).toEqual(expect.any(Number));
});
