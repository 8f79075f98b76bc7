import { z } from "zod";
import { featureDtypes } from "../features/feature-dtype.ts";
import { featureStorages } from "../features/feature-storage.ts";
import { featurePlacements } from "../host/feature-placement.ts";
import { embeddingOptions } from "./embedding-options.ts";
import { precisions } from "./precision.ts";
import { structuralOptions } from "./structural-options.ts";
import { taskSection } from "./task-section.ts";
import { typesOfModel } from "./types-of-model.ts";

/** Sections of a job spec that the engine reads; the service's JobSpec is composed of the same schemas. */

/** A split that is drawn where nothing is said of it. */
export const randomSplit = z.strictObject({
  type: z.literal("random"),
  train: z.number().min(0).max(1).default(0.6).describe("Share of the labelled nodes that is trained on"),
  val: z.number().min(0).max(1).default(0.2).describe("Share that early stopping and the best epoch go by"),
  test: z.number().min(0).max(1).default(0.2).describe("Share that only the final figures are taken from"),
  stratify: z.boolean().default(true).describe("The same shares in every class"),
  seed: z.number().int().min(0).default(0).describe("The same seed draws the same split"),
});

const splitChoices = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("column"),
    column: z.string().default("split").describe("Column that says train, val or test of each node"),
    val: z
      .number()
      .gt(0)
      .lt(1)
      .optional()
      .describe("Share of each class's training nodes that is held out to choose by, where the column names none"),
    valFold: z
      .number()
      .int()
      .min(0)
      .max(999)
      .optional()
      .describe("Which share of that size it is, from 0; shares have no node in common, for cross-validation"),
  }),
  randomSplit,
]);

/** How many shares of that size have nothing in common. */
export function numFolds(val: number): number {
  return Math.floor(Number((1 / val).toPrecision(12)));
}

/** Shares that come to more than the nodes there are would leave one of the sets empty. */
export const splitOptions = splitChoices.superRefine((split, context) => {
  const refuse = (path: string, message: string) => context.addIssue({ code: "custom", path: [path], message });
  if (split.type === "column") {
    const { val, valFold } = split;
    if (valFold === undefined) return;
    if (val === undefined) return refuse("valFold", "Nothing is held out; give val the share that each fold has");
    const folds = numFolds(val);
    if (valFold >= folds) refuse("valFold", `Shares of ${val} make ${folds} folds; choose 0 to ${folds - 1}`);
    return;
  }
  const { train, val, test } = split;
  const sum = Number((train + val + test).toPrecision(12));
  if (train === 0) refuse("train", "Nothing would be learned from; give train a share above 0");
  if (sum > 1) refuse("train", `train, val and test come to ${sum} of the nodes; lower them to 1 or less together`);
});
export type SplitOptions = z.infer<typeof splitOptions>;

export const featureOptions = z.strictObject({
  node: z.array(z.literal("*")).length(1).default(["*"]).describe("All feature columns that were ingested"),
  dtype: z
    .enum(featureDtypes)
    .default("fp32")
    .describe("How the parts store features: fp16 takes half the memory and int8 a quarter; computed in fp32"),
  storage: z
    .enum(featureStorages)
    .default("auto")
    .describe(
      "memory: read whole before training; mapped: read from disk as rows are asked for; auto: memory when they take at most half of what is free",
    ),
  transforms: z
    .array(z.enum(["rowNormalize", "standardize"]))
    .default([])
    .describe(
      "In this order. rowNormalize: each row divided by its sum; standardize: each column to mean 0, variance 1",
    ),
  structural: structuralOptions
    .nullable()
    .default(null)
    .describe(
      "Columns made from the edges, for graphs without features: degree, and random projections or eigenvectors; null: none, unless nodes have no features and no rows can be learned",
    ),
  embedding: embeddingOptions
    .nullable()
    .default(null)
    .describe(
      "A learnable row for each node, read beside its features; for graphs without features, and nodes known in training; null: none, unless nodes have no features and no columns are made",
    ),
});
export type FeatureOptions = z.infer<typeof featureOptions>;

const lr = z.number().positive().describe("Learning rate");
const weightDecay = z.number().min(0).default(0);
const l2 = weightDecay.describe("L2 penalty, added to the gradient");
const adamOptions = { lr: lr.default(0.003) };

const optimizerOptions = z.discriminatedUnion(
  "type",
  [
    z.strictObject({
      type: z.literal("adam").default("adam"),
      options: z.strictObject({ ...adamOptions, weightDecay: l2 }).prefault({}),
    }),
    z.strictObject({
      type: z.literal("adamw"),
      options: z
        .strictObject({
          ...adamOptions,
          weightDecay: weightDecay.describe(
            "Shrinks the weights by lr · weightDecay each step, apart from the gradient",
          ),
        })
        .prefault({}),
    }),
    z.strictObject({
      type: z.literal("sgd"),
      options: z
        .strictObject({
          lr: lr.default(0.1),
          momentum: z.number().min(0).lt(1).default(0.9).describe("Share of the last step that is kept"),
          weightDecay: l2,
        })
        .prefault({}),
    }),
    z.strictObject({
      type: z.literal("adagrad"),
      options: z.strictObject({ lr: lr.default(0.01), weightDecay: l2 }).prefault({}),
    }),
  ],
  { unionFallback: true }, // an optimizer without type is Adam
);

const warmupEpochs = z.number().int().min(0).default(0).describe("First epochs, in which the learning rate rises");

export const scheduleOptions = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("constant"), warmupEpochs }),
  z.strictObject({
    type: z.literal("cosine"),
    warmupEpochs,
    finalFactor: z.number().min(0).max(1).default(0).describe("What is left of the learning rate at the end"),
  }),
  z.strictObject({
    type: z.literal("step"),
    warmupEpochs,
    everyEpochs: z.number().int().min(1).default(30).describe("Epochs between two steps"),
    gamma: z.number().positive().max(1).default(0.1).describe("Factor of each step"),
  }),
]);
export type ScheduleOptions = z.infer<typeof scheduleOptions>;

/** Whether an epoch's learning rate depends on how many epochs there are. */
export function isPlannedToItsEnd({ type }: Pick<ScheduleOptions, "type">): boolean {
  return type === "cosine";
}

export const trainOptions = z.strictObject({
  epochs: z.number().int().min(1).max(100_000).default(50).describe("At most; early stopping may end sooner"),
  batchSize: z.number().int().min(1).default(1024).describe("Global seeds per step; per rank = batchSize / ranks"),
  optimizer: optimizerOptions.prefault({}).describe("How weights follow from gradients"),
  schedule: scheduleOptions.prefault({ type: "constant" }).describe("Learning rate over the epochs"),
  gradClipNorm: z.number().positive().nullable().default(null).describe("Longer gradients are scaled to this norm"),
  precision: z
    .enum(precisions)
    .default("fp32")
    .describe(
      "What products of matrices multiply with on a GPU: tf32 and bf16 are faster, fp32 is for CPUs, too. Weights of single relations and heads multiply with fp32",
    ),
  earlyStopping: z
    .strictObject({
      metric: z
        .string()
        .optional()
        .describe("Default: the task's own (val/accuracy for classes, val/loss for several labels and numbers)"),
      mode: z.enum(["max", "min"]).optional().describe("Default: min for losses and errors, max for all others"),
      patience: z.number().int().min(1).default(10).describe("Evaluations without improvement"),
    })
    .nullable()
    .default(null)
    .describe("Ends the training when the metric stops improving; null: all epochs are run"),
  evaluate: z
    .strictObject({
      everyEpochs: z.number().int().min(1).default(1).describe("Epochs between two evaluations"),
      mode: z
        .enum(["layerwise", "sampled"])
        .default("layerwise")
        .describe("layerwise: exact, every node; sampled: an estimate from drawn neighbours. The last one is exact"),
    })
    .prefault({}),
  checkpoint: z
    .strictObject({
      everyEpochs: z.number().int().min(1).default(1).describe("Epochs between two checkpoints"),
      keepBest: z
        .number()
        .int()
        .min(1)
        .max(10)
        .default(1)
        .describe("Best evaluations whose weights are kept in every checkpoint and in the model"),
    })
    .prefault({}),
  seed: z
    .number()
    .int()
    .min(0)
    .max(2 ** 31 - 1)
    .default(0)
    .describe("Draws weights, batches and dropout: the same seed gives the same model"),
});
export type TrainOptions = z.infer<typeof trainOptions>;

/** A component by name with options that its own schema checks. */
export const componentChoice = (name: string) =>
  z
    .strictObject({
      type: z.string().default(name).describe("Name in the catalogue"),
      options: z.record(z.string(), z.unknown()).default({}).describe("Checked by the component's own schema"),
    })
    .default({ type: name, options: {} });

export const graphPlacement = z
  .enum(["shared", "partitioned"])
  .default("shared")
  .describe(
    "shared: every host holds all parts; partitioned: each rank holds its own, and reads the others' from their ranks",
  );

export const remoteCache = z
  .number()
  .min(0)
  .max(1)
  .default(0.25)
  .describe("Partitioned: share of the other ranks' rows that batches read which each rank keeps, the most read ones");

export const featurePlacement = z
  .enum(["auto", ...featurePlacements])
  .describe(
    "Where feature rows lie for ranks on GPUs. device: in its memory; sharded: a share with each GPU of a host, which read them all; cached: those that are read most; pinned: with the host, the GPU reads them; host: copied with each batch; auto: the first that fits",
  );

/** Options of the `train` step: the JobSpec's sections of the same names. */
export const trainStepOptions = z.strictObject({
  task: taskSection,
  features: featureOptions.prefault({}),
  model: componentChoice("sage"),
  sampling: componentChoice("neighbor"),
  train: trainOptions.prefault({}),
  samplerThreads: z.number().int().min(1).max(64).default(1),
  graph: graphPlacement,
  remoteCache,
  featurePlacement: featurePlacement.optional(),
});
export type TrainStepOptions = z.infer<typeof trainStepOptions>;

/** Options of the `partition` step. `partition.options.numParts` has been resolved to a number. */
export const partitionStepOptions = z.strictObject({
  partition: componentChoice("metis"),
  split: splitOptions.default({ type: "column", column: "split" }),
  features: featureOptions.pick({ dtype: true }).prefault({}),
  edges: z
    .enum(["all", "messages"])
    .default("all")
    .describe("messages: only those that an earlier split of the links leaves to carry messages"),
  graphs: z
    .strictObject({
      folds: z
        .strictObject({ test: z.string(), val: z.string().nullable() })
        .nullable()
        .describe("The folds that are held out; null: split is that of the graphs"),
    })
    .optional()
    .describe("The dataset is a set of graphs: each lies in one part, and is split as a whole"),
  types: typesOfModel.optional().describe("Left out: types are counted as the graph counts them"),
});
export type PartitionStepOptions = z.infer<typeof partitionStepOptions>;
