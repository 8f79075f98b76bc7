import {
  AppError,
  type ArtifactInfo,
  type ArtifactKind,
  artifactInfos,
  type BlobAnswer,
  blobAnswer,
  type DatasetSpec,
  datasetSpec,
  type GraphForm,
  graphForm,
  type JobEstimateAnswer,
  type JobSpec,
  jobEstimate,
  jobResources,
  jobSpec,
  type Problem,
  problem,
  type TrainedSpec,
} from "@hopwise/contracts";
import { type StepBreakdown, stepBreakdown } from "@hopwise/gnn-core/spec";
import { z } from "zod";

/** What JSON columns hold, checked where it leaves the database. */
const json = z.record(z.string(), z.unknown());
const tags = z.record(z.string(), z.string());
const blobs = z.array(blobAnswer);

/** The resolved spec of a job, or the dataset spec of a version, as it was stored. */
export function specOf({ spec }: { readonly spec: unknown }): Record<string, unknown> {
  return json.parse(spec);
}

export function recordOrNull(value: unknown): Record<string, unknown> | null {
  return json.nullable().parse(value ?? null);
}

export function tagsOf(job: { readonly tags: unknown }): Record<string, string> {
  return tags.parse(job.tags);
}

/** The estimate of a job when it was submitted; fields that older ones lack have their defaults. */
export function estimateOf({ estimate }: { readonly estimate: unknown }): JobEstimateAnswer | null {
  return jobEstimate.nullable().parse(estimate ?? null);
}

export function problemOfRow(row: { readonly problem: unknown }): Problem | null {
  return problem.nullable().parse(row.problem ?? null);
}

const withResources = z.object({ resources: jobResources.optional() });

/** What a job asks for; null: the jobs that the service makes itself ask for nothing. */
export function resourcesOf({ spec }: { readonly spec: unknown }): JobSpec["resources"] | null {
  return withResources.parse(spec).resources ?? null;
}

const { sampling, task, features, model, train, resources, continueFrom } = jobSpec.shape;
const trainingSpec = z.object({ sampling, train, resources });

/** How a training job trains; null: it is a job of another kind. */
export function trainingSpecOf({ kind, spec }: { readonly kind: string; readonly spec: unknown }) {
  return kind === "train" ? trainingSpec.parse(spec) : null;
}

const continuingSpec = z.object({ continueFrom });

/** Id of the checkpoint that a job was submitted to go on from, if any. */
export function continueFromOf({ spec }: { readonly spec: unknown }): string | undefined {
  return continuingSpec.parse(spec).continueFrom;
}

const taskOfSpec = z.object({ task });

/** What a training job learns, or the model that an infer job applies has learnt; null: it is a job of another kind. */
export function taskSectionOf({
  kind,
  spec,
}: {
  readonly kind: string;
  readonly spec: unknown;
}): JobSpec["task"] | null {
  return kind === "train" || kind === "infer" ? taskOfSpec.parse(spec).task : null;
}

const keepingSpec = z.object({ outputs: z.object({ model: z.string().nullable().default(null) }).prefault({}) });

/** The name that a training job's spec has its model kept under; null: none. */
export function keptModelNameOf({ kind, spec }: { readonly kind: string; readonly spec: unknown }): string | null {
  return kind === "train" ? keepingSpec.parse(spec).outputs.model : null;
}

/** What a graph must be like for a version of a model to be applied to it. */
export function trainedOnOf({ trainedOn }: { readonly trainedOn: unknown }): GraphForm {
  return graphForm.parse(trainedOn);
}

const trainedSpec = z.object({ task, features, model });

/** What decides of a trained model where it can be applied, from the spec of the job that trained it. */
export function trainedSpecOf({ spec }: { readonly spec: unknown }): TrainedSpec {
  return trainedSpec.parse(spec);
}

const adoptedModel = z.object({
  model: z.string(),
  note: z.string(),
  adopted: z.object({ spec: json, trainedOn: graphForm, dataset: z.string(), datasetName: z.string() }),
});

/** Under which name a job keeps the model that somebody has uploaded, and what its card says of its training. */
export function adoptedOf({ spec }: { readonly spec: unknown }): z.infer<typeof adoptedModel> {
  return adoptedModel.parse(spec);
}

const withWeights = z.object({ weights: artifactInfos.model.shape.weights });

/** Names and shapes of a model's weights; none of models that were trained before these were written down. */
export function weightsOfModel({ info }: { readonly info: unknown }): ArtifactInfo<"model">["weights"] {
  return withWeights.parse(info).weights;
}

const withRowNames = z.object({ learnedRows: artifactInfos.model.shape.learnedRows });

/** Whether a model says whose its learned rows are; those of earlier releases, and models without rows, do not. */
export function namesItsRows({ info }: { readonly info: unknown }): boolean {
  return withRowNames.parse(info).learnedRows !== null;
}

/** The dataset spec of a version; null: it is not confirmed, or of a form that this release does not read. */
export function datasetSpecOf({ spec }: { readonly spec: unknown }): DatasetSpec | null {
  return datasetSpec.safeParse(spec).data ?? null;
}

/** What a rank last said of the parts of its steps; null: nothing yet. */
export function breakdownOf({ breakdown }: { readonly breakdown: unknown }): StepBreakdown | null {
  return stepBreakdown.nullable().parse(breakdown ?? null);
}

/** The facts of an artifact whose kind may be anybody's. */
export function infoOf({ info }: { readonly info: unknown }): Record<string, unknown> {
  return json.parse(info);
}

/** @throws AppError MANIFEST_INVALID when the facts do not have the form of their kind */
export function artifactInfo<K extends ArtifactKind>(kind: K, info: unknown): ArtifactInfo<K> {
  const parsed = artifactInfos[kind].safeParse(info);
  if (parsed.success) return parsed.data as ArtifactInfo<K>;
  throw new AppError(
    "MANIFEST_INVALID",
    `What is stored of an artifact of kind "${kind}" is damaged: ${z.prettifyError(parsed.error)}`,
  );
}

/** The blobs in an artifact's row. */
export function blobsOf(artifact: { readonly blobs: unknown }): readonly BlobAnswer[] {
  return blobs.parse(artifact.blobs);
}
