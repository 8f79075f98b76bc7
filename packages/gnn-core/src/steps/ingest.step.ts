import { datasetSpec } from "../io/dataset-spec.ts";
import { defineStep } from "../spec/define-step.ts";

/** Uploaded files → graph artifact. */
export const ingestStep = defineStep({
  name: "ingest",
  version: 1,
  title: "Ingest",
  summary: "Reads the mapped files into an in-edge graph with features, labels, splits and the original ids.",
  options: datasetSpec,
  inputs: ["files"],
  output: "graph",
  ranks: "one",
  reusable: true,
  run: async (context) => (await import("../io/ingest/ingest.ts")).ingest(context),
});
