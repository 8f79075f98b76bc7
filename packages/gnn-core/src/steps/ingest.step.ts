import { defineStep } from "../components/define-step.ts";
import { datasetSpec } from "../io/dataset-spec.ts";
import { logged } from "./logged.ts";

/** Uploaded files → graph artifact. */
export const ingestStep = defineStep({
  name: "ingest",
  // 2: the graph has a profile; 3: edges of two directions have times of their own
  version: 7,
  title: "Ingest",
  summary: "Reads the mapped files into an in-edge graph with features, labels, splits and the original ids.",
  options: datasetSpec,
  inputs: ["files"],
  output: "graph",
  ranks: "one",
  reusable: true,
  seconds: "ingestSeconds",
  run: (context) =>
    logged(
      context,
      "Graph written",
      async () => (await import("../io/ingest/ingest.ts")).ingest(context),
      ({ numNodes, numEdges, features, classes, report: { rowsRead, badRows } }) => ({
        nodes: numNodes,
        edges: numEdges,
        features: features.dim,
        classes: classes.length,
        rowsRead,
        badRows: badRows.length,
      }),
    ),
});
