import { z } from "zod";
import { defineStep } from "../components/define-step.ts";
import { nodeMapBlobs } from "../partition/own-part-blobs.ts";
import { logged } from "./logged.ts";

/** `graph`, `parts`, `model` → `matchedRows`: which nodes of a graph a model has learned rows of, and which not. */
export const matchRowsStep = defineStep({
  name: "matchRows",
  version: 1,
  title: "Match rows",
  summary: "Finds the learned rows of a model by the ids of the nodes, and says which nodes it has none of.",
  options: z.strictObject({}),
  inputs: ["graph", "parts", "model"],
  output: "matchedRows",
  ranks: "one",
  reusable: true,
  reads: ({ kind, ...input }) => {
    if (kind === "parts") return nodeMapBlobs({ kind, ...input });
    return kind === "graph" ? ["nodes/ids", "nodes/type.npy"] : ["rows_of_"];
  },
  run: (context) =>
    logged(
      context,
      "Learned rows matched",
      async () => (await import("./run-match-rows-step.ts")).runMatchRowsStep(context),
      ({ numKnown, numUnseen, numUnused }) => ({
        nodesWithRow: numKnown,
        nodesWithout: numUnseen,
        rowsOfOthers: numUnused,
      }),
    ),
});
