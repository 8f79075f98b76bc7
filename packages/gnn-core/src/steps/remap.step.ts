import { z } from "zod";
import { defineStep } from "../components/define-step.ts";
import { nodeMapBlobs } from "../partition/own-part-blobs.ts";
import { logged } from "./logged.ts";

/** `graph`, `parts`, `inferred` → `remapped`: rows in the order of the original ids. */
export const remapStep = defineStep({
  name: "remap",
  version: 2,
  title: "Remap",
  summary: "Brings embeddings and logits into the order of the original ids and counts the accuracies again.",
  options: z.strictObject({
    classes: z
      .array(z.string())
      .optional()
      .describe("Those that the model counts in, when it learnt from another graph; left out: the graph's own"),
  }),
  inputs: ["graph", "parts", "inferred"],
  output: "remapped",
  ranks: "one",
  reusable: true,
  reads: (input) => (input.kind === "parts" ? nodeMapBlobs(input) : null),
  run: (context) =>
    logged(
      context,
      "Rows brought into the order of the ids",
      async () => (await import("../export/remap.ts")).remap(context),
      ({ numNodes, dim }) => ({ nodes: numNodes, dim }),
    ),
});
