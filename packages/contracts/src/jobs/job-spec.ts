import {
  componentChoice,
  featureOptions,
  featurePlacement,
  frozenWeights,
  graphPlacement,
  mapOptions,
  remoteCache,
  splitOptions,
  startLayers,
  taskSection,
  trainOptions,
} from "@hopwise/gnn-core/spec";
import { z } from "zod";
import { limits } from "../limits.ts";
import { modelName, modelRef } from "./model-ref.ts";

/** Where and on how much a job runs; `samplers` and what belongs to them are of training alone. */
export const resourceFields = z.strictObject({
  device: z
    .enum(["auto", "cpu", "cuda"])
    .default("auto")
    .describe("auto: what the chosen worker computes on; cpu, cuda: only workers that announce such a device"),
  ranks: z.number().int().min(1).max(limits.ranks).default(1).describe("Processes that train together"),
  minRanks: z
    .number()
    .int()
    .min(1)
    .max(limits.ranks)
    .default(1)
    .describe("After a loss the job may go on with as few ranks as this, on the hosts that are left"),
  hosts: z
    .union([z.literal("auto"), z.number().int().min(1).max(limits.ranks)])
    .default("auto")
    .describe("Workers that share the ranks; auto: one where it has the slots, else as few as have them together"),
  threadsPerRank: z
    .union([z.literal("auto"), z.number().int().min(1)])
    .default("auto")
    .describe("Threads of the kernels; auto: the worker's cores divided by the ranks"),
  samplerThreads: z
    .number()
    .int()
    .min(1)
    .max(64)
    .default(1)
    .describe("Threads that draw neighbours, per rank or sampler process"),
  samplers: z
    .number()
    .int()
    .min(0)
    .max(limits.ranks)
    .default(0)
    .describe("Further processes, each with a slot, that draw the training batches for all ranks; 0: the ranks draw"),
  graph: graphPlacement,
  remoteCache,
  features: featurePlacement.default("auto"),
  workerLabels: z.record(z.string(), z.string()).default({}).describe("Only workers that carry all of these"),
  maxDuration: z.iso.duration().default("PT2H").describe("The job fails when it takes longer"),
});

/** Where and on how much a job runs. */
export const jobResources = resourceFields.superRefine(({ ranks, minRanks, samplers, hosts, graph }, context) => {
  const refuse = (path: string, message: string) => context.addIssue({ code: "custom", path: [path], message });
  if (minRanks > ranks) refuse("minRanks", `${minRanks} is more than the ${ranks} ranks of the job`);
  const processes = ranks + samplers;
  if (hosts !== "auto" && hosts > processes)
    refuse("hosts", `${hosts} hosts need as many ranks or sampler processes; the job has ${processes}`);
  if (samplers > 0 && graph === "partitioned")
    refuse("samplers", 'Ranks that hold a part each draw from each other; set samplers to 0, or graph to "shared"');
});

/** What is written of a model's rows, when training has ended or a model has been applied. */
export const resultOutputs = z.strictObject({
  embeddings: z
    .strictObject({
      layer: z.literal("lastHidden").default("lastHidden"),
      nodes: z.literal("all").default("all"),
      dtype: z.literal("fp32").default("fp32"),
      formats: z
        .array(z.string())
        .default(["parquet"])
        .describe("parquet, npy, csv, arrow, jsonl, neo4j, pgcopy; others can be asked for later"),
    })
    .prefault({}),
  predictions: z
    .strictObject({
      formats: z.array(z.string()).default(["parquet"]).describe("parquet, csv, arrow, jsonl, neo4j, pgcopy"),
    })
    .prefault({}),
  map: mapOptions.prefault({}).describe("The map of the embeddings on the dashboard"),
  steps: z
    .array(
      z.strictObject({
        type: z.string().describe("Name of the step in the catalogue"),
        options: z.record(z.string(), z.unknown()).default({}).describe("Checked by the step's own schema"),
      }),
    )
    .default([])
    .describe("Further steps of the catalogue, run at the end on the artifacts they read"),
});

const outputs = resultOutputs.extend({
  model: modelName
    .nullable()
    .default(null)
    .describe("Name that the trained model is kept under, as its next version; null: it is kept with the job alone"),
});

/** A training job. Component options are checked against their components by `resolveJobSpec`. */
export const jobSpec = z.strictObject({
  version: z.literal(1),
  kind: z.enum(["train"]).describe("Partition, train, infer and export"),
  name: z.string().max(limits.jobNameLength).default("").describe("Shown in lists"),
  project: z.string().default("default").describe("Id or name; a key of one project need not say"),
  tags: z.record(z.string(), z.string()).default({}).describe("Your own words, kept with the job"),
  dataset: z.string().describe("Dataset id, optionally @version; without one the latest is frozen at submit"),
  task: taskSection,
  split: splitOptions
    .default({ type: "column", column: "split" })
    .describe("Which rows are learned from; left out: the dataset's own split, or a random one where it has none"),
  features: featureOptions.prefault({}),
  partition: componentChoice("metis"),
  model: componentChoice("sage"),
  sampling: componentChoice("neighbor"),
  train: trainOptions.prefault({}),
  resources: jobResources.prefault({}),
  outputs: outputs.prefault({}),
  startFrom: z
    .strictObject({ model: modelRef, layers: startLayers.default("all"), freeze: frozenWeights.default([]) })
    .optional()
    .describe("A kept model whose weights the training begins with, in place of new ones"),
  continueFrom: z
    .string()
    .max(80)
    .optional()
    .describe(
      "Id of a checkpoint after which training goes on, made with the same dataset, model and training; epochs may differ unless the schedule is cosine",
    ),
  priority: z.number().int().min(1).max(10).default(5).describe("10 goes before 1; equal ones by age"),
});
export type JobSpec = z.infer<typeof jobSpec>;
export type JobSpecInput = z.input<typeof jobSpec>;
