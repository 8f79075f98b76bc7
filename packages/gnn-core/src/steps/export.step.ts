import { z } from "zod";
import { defineStep } from "../components/define-step.ts";
import { logged } from "./logged.ts";

const options = z.strictObject({
  embeddings: z
    .strictObject({
      formats: z
        .array(z.enum(["parquet", "npy", "csv", "arrow"]))
        .default(["parquet"])
        .describe("Files of the embeddings; npy comes with a file of ids"),
    })
    .prefault({}),
  predictions: z
    .strictObject({
      formats: z
        .array(z.enum(["parquet", "csv", "arrow"]))
        .default(["parquet"])
        .describe(
          "Files of what the task predicts: a row for each node or labelled edge, or of tasks on links the new neighbours of each node",
        ),
    })
    .prefault({}),
});

/** `graph`, `remapped` → `exports`: files for the user, keyed by the original ids, and those of each type of node. */
export const exportStep = defineStep({
  name: "export",
  version: 4,
  title: "Export",
  summary: "Writes embeddings and predictions by original id as Parquet, npy, CSV or Arrow.",
  options,
  inputs: ["graph", "remapped"],
  readsIfMade: ["recommended", "edgeRows", "edgePredictions"],
  output: "exports",
  ranks: "one",
  reusable: true,
  run: (context) =>
    logged(
      context,
      "Results exported",
      async () => (await import("../export/export-results.ts")).exportResults(context),
      ({ numNodes, dim, embeddings, predictions }) => ({ nodes: numNodes, dim, embeddings, predictions }),
    ),
});
