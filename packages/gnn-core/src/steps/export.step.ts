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
        .describe("Files of what the task predicts: a row for each node, or of tasks on edges its new neighbours"),
    })
    .prefault({}),
});

/** `graph`, `remapped` → `exports`: files for the user, keyed by the original ids, and those of each type of node. */
export const exportStep = defineStep({
  name: "export",
  version: 3,
  title: "Export",
  summary: "Writes embeddings and predictions by original id as Parquet, npy, CSV or Arrow.",
  options,
  inputs: ["graph", "remapped"],
  readsIfMade: ["recommended"],
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
