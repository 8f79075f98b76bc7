import { z } from "zod";
import { GnnError } from "../errors/gnn-error.ts";
import type { ArtifactDir } from "../io/manifest.ts";
import { calibrationInfo } from "./calibration-info.ts";
import { edgeFeatureScaling } from "./edge-rows-options.ts";
import { learnedRows } from "./row-names.ts";
import { taskSection } from "./task-section.ts";
import { featureOptions } from "./train-options.ts";

/** A model of ten layers with a table for each of 100 relations has fewer. */
const mostWeights = 10_000;

/** What the manifest of a `model` artifact says: enough to build it again and to judge it. */
export const modelInfo = z.object({
  model: z.object({ type: z.string(), options: z.record(z.string(), z.unknown()) }),
  /** Which may say along which edges messages go; absent in older models */
  sampling: z.object({ type: z.string(), options: z.record(z.string(), z.unknown()) }).optional(),
  shape: z.object({
    inDim: z.number().int(),
    outDim: z.number().int(),
    seed: z.number().int(),
    /** Where the graph has several types of edges, and of nodes */
    numRelations: z.number().int().optional(),
    numNodeTypes: z.number().int().optional(),
    /** Where types of nodes have columns of their own: nodes with learned rows */
    numLearnedRows: z.number().int().optional(),
  }),
  /** Names and shapes of all that was learnt, in the order of the layers; absent in older models */
  weights: z
    .array(z.object({ name: z.string(), shape: z.array(z.number().int()) }))
    .max(mostWeights)
    .default([]),
  task: taskSection,
  epochs: z.number().int(),
  steps: z.number().int(),
  best: z.object({ epoch: z.number().int(), metric: z.number() }).nullable(),
  /** The evaluations behind `model.safetensors`, `best-1.safetensors` …, best first; absent in older models */
  kept: z.array(z.object({ epoch: z.number().int(), metric: z.number() })).default([]),
  metrics: z.record(z.string(), z.number().nullable()),
  /** counts[label][predicted]; null with more than 100 classes */
  confusion: z
    .object({ split: z.literal("test"), classes: z.array(z.string()), counts: z.array(z.array(z.number().int())) })
    .nullable()
    .default(null),
  /** Null unless each node has one class; absent in older models, which have no temperature */
  calibration: calibrationInfo.nullable().default(null),
  /** Prediction = output · scale + mean, column by column: units of a regression, base log-odds of several labels */
  targetScaling: z
    .object({ mean: z.array(z.number()), scale: z.array(z.number()) })
    .nullable()
    .default(null),
  /** How features of labelled edges are standardised; null: the model reads none. Absent in older models */
  edgeFeatureScaling,
  transforms: featureOptions.shape.transforms,
  structural: featureOptions.shape.structural,
  embedding: featureOptions.shape.embedding,
  /** Whose the learned rows are; null: the model has none, or is of an earlier version, which did not say */
  learnedRows: learnedRows.nullable().default(null),
});
export type ModelInfo = z.infer<typeof modelInfo>;

/** @throws GnnError MANIFEST_INVALID when the artifact is not a model of ours */
export function readModelInfo({ dir, manifest }: ArtifactDir): ModelInfo {
  const parsed = modelInfo.safeParse(manifest.info);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new GnnError(
    "MANIFEST_INVALID",
    `${dir}: the manifest is not that of a model: ${issue?.path.join(".")}: ${issue?.message}; train it again.`,
  );
}
