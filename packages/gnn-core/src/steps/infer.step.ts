import { z } from "zod";
import { defineStep } from "../components/define-step.ts";
import { ownPartBlobs } from "../partition/own-part-blobs.ts";
import { featureLayoutOfModel } from "../spec/feature-layout-of-model.ts";
import { featurePlacement, graphPlacement } from "../spec/train-options.ts";
import { logged } from "./logged.ts";

export const inferStepOptions = z.strictObject({
  chunkSize: z.number().int().min(1).max(1_000_000).default(4096).describe("Nodes computed at a time"),
  graph: graphPlacement,
  featurePlacement: featurePlacement.optional(),
  columns: featureLayoutOfModel
    .optional()
    .describe("Where the model reads the columns of features; left out: they are those that it was trained on"),
});

export const inferStep = defineStep({
  name: "infer",
  version: 1,
  title: "Infer",
  summary: "Computes embedding and logits of every node from its whole neighbourhood, layer by layer.",
  options: inferStepOptions,
  inputs: ["parts", "model"],
  readsIfMade: ["matchedRows"],
  output: "inferred",
  ranks: "all",
  reads: (input, { graph }, ranks) =>
    input.kind === "parts" && graph === "partitioned" ? ownPartBlobs(input, ranks) : null,
  reusable: true,
  run: (context) =>
    logged(
      context,
      "Nodes inferred",
      async () => (await import("./run-infer-step.ts")).runInferStep(context),
      ({ numNodes, dim, numClasses }) => ({ nodes: numNodes, dim, classes: numClasses, ranks: context.rank.worldSize }),
    ),
});
