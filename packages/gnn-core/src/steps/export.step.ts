import { z } from "zod";
import { defineStep } from "../components/define-step.ts";
import { logged } from "./logged.ts";

const loaderFormats = ["jsonl", "neo4j", "pgcopy"] as const;
const columnName = z.string().regex(/^[A-Za-z_][\w.-]{0,62}$/);

const options = z.strictObject({
  embeddings: z
    .strictObject({
      formats: z
        .array(z.enum(["parquet", "npy", "csv", "arrow", ...loaderFormats]))
        .default(["parquet"])
        .describe("Files of the embeddings; npy comes with a file of ids"),
      columns: z
        .strictObject({ id: columnName.default("id"), vector: columnName.default("embedding") })
        .refine(({ id, vector }) => id !== vector, "The two columns need different names")
        .prefault({})
        .describe("What the columns of ids and vectors are called in parquet, arrow, jsonl and neo4j"),
    })
    .prefault({}),
  predictions: z
    .strictObject({
      formats: z
        .array(z.enum(["parquet", "csv", "arrow", ...loaderFormats]))
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
  // 7: what the columns of files for PostgreSQL hold is said
  version: 7,
  title: "Export",
  summary:
    "Writes embeddings and predictions by original id as Parquet, npy, CSV, Arrow, JSON lines, or files for Neo4j and PostgreSQL.",
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
