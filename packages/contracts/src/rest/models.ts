import { z } from "zod";
import { graphForm } from "../jobs/graph-form.ts";
import { modelName } from "../jobs/model-ref.ts";
import { limits } from "../limits.ts";
import { jobAnswer } from "./jobs.ts";
import { route } from "./route.ts";
import { count, idParams, isoTime, metrics, pageOf, pageQuery } from "./shapes.ts";

export const modelStage = z.enum(["candidate", "production", "archived"]);
export type ModelStage = z.infer<typeof modelStage>;

/** A file of a version: its weights, and what else is needed to use them. */
const modelFile = z
  .object({ name: z.string(), bytes: count, sha256: z.string(), url: z.string() })
  .meta({ id: "ModelFile" });

export const modelVersionAnswer = z
  .object({
    id: z.string(),
    projectId: z.string(),
    modelId: z.string(),
    name: z.string().describe("Name of the model"),
    number: count,
    ref: z.string().describe("name@number, as an infer job names it"),
    stage: modelStage,
    note: z.string(),
    jobId: z.string().nullable().describe("The job that trained it, or checked its upload; null: it is deleted"),
    isUploaded: z
      .boolean()
      .describe("It was uploaded by createdBy: what is said of its training is what its card said"),
    dataset: z.string().describe("The dataset version that it was trained on, id@number"),
    datasetName: z.string(),
    modelType: z.string(),
    metrics: metrics.describe("Figures of the training job, such as test/accuracy"),
    bytes: count.describe("Bytes of all files"),
    createdBy: z.string(),
    createdAt: isoTime,
    stageChangedAt: isoTime.nullable(),
  })
  .meta({ id: "ModelVersion" });
export type ModelVersionAnswer = z.infer<typeof modelVersionAnswer>;

export const modelCard = modelVersionAnswer
  .extend({
    artifactId: z.string(),
    digest: z.string().describe("SHA-256 over the model's manifest"),
    trainedOn: graphForm.describe("What a graph must be like for the model to be applied to it"),
    info: z
      .record(z.string(), z.unknown())
      .describe("Shape, epochs, transforms, confusion, calibration: the model's manifest"),
    spec: z.record(z.string(), z.unknown()).describe("The training job’s spec, resolved"),
    files: z.array(modelFile),
    usedBy: z.array(z.string()).describe("Ids of the newest jobs that apply it or start from it, ended ones too"),
  })
  .meta({ id: "ModelCard" });
export type ModelCard = z.infer<typeof modelCard>;

export const modelAnswer = z
  .object({
    id: z.string(),
    projectId: z.string(),
    name: z.string(),
    createdBy: z.string(),
    createdAt: isoTime,
    versions: z.array(modelVersionAnswer).describe(`The newest ${limits.modelVersions}, the newest first`),
  })
  .meta({ id: "Model" });
export type ModelAnswer = z.infer<typeof modelAnswer>;

export const keepModelRequest = z
  .strictObject({
    name: modelName.describe("Name of a new model, or of one that gets another version"),
    job: z.string().min(1).max(100).describe("A training job that has succeeded"),
    note: z.string().max(2000).default(""),
  })
  .meta({ id: "KeepModelRequest" });
export type KeepModelRequest = z.infer<typeof keepModelRequest>;

export const modelVersionChange = z
  .strictObject({
    stage: modelStage.optional().describe("One version of a model is in production: another is archived by this"),
    note: z.string().max(2000).optional(),
  })
  .meta({ id: "ModelVersionChange" });
export type ModelVersionChange = z.infer<typeof modelVersionChange>;

export const newModelUpload = z
  .strictObject({
    name: modelName.describe("Name of the model whose files are to come"),
    project: z.string().min(1).max(100).optional().describe("Left out: the only one, or that of the key"),
  })
  .meta({ id: "NewModelUpload" });

export const modelUploadAnswer = z
  .object({
    id: z.string().describe("Takes files as a dataset does: POST /v1/datasets/<id>/uploads, or …/files"),
    projectId: z.string(),
    name: z.string(),
    createdAt: isoTime,
  })
  .meta({ id: "ModelUpload" });
export type ModelUploadAnswer = z.infer<typeof modelUploadAnswer>;

export const adoptModelRequest = z
  .strictObject({
    name: modelName.describe("Name of a new model, or of one that gets another version"),
    note: z.string().max(2000).default(""),
  })
  .meta({ id: "AdoptModelRequest" });

const tag = "models";

export const modelRoutes = {
  listModels: route({
    method: "GET",
    path: "/v1/models",
    tag,
    summary: "The models with their versions, newest first",
    query: pageQuery.extend({ name: z.string().max(100).optional().describe("Only the model of this name") }),
    answers: { 200: pageOf(modelAnswer) },
    problems: ["REQUEST_NOT_FOUND"],
  }),
  keepModel: route({
    method: "POST",
    path: "/v1/models",
    tag,
    summary: "Keeps the model of a job as the next version under a name",
    body: keepModelRequest,
    answers: { 201: modelVersionAnswer },
    problems: ["REQUEST_NOT_FOUND", "REQUEST_CONFLICT", "JOB_WITHOUT_RESULTS"],
  }),
  beginModelUpload: route({
    method: "POST",
    path: "/v1/model-uploads",
    tag,
    summary: "Makes a place for the files of a model: card.json and what else a download of one gives",
    body: newModelUpload,
    answers: { 201: modelUploadAnswer },
    problems: ["REQUEST_NOT_FOUND"],
  }),
  adoptModel: route({
    method: "POST",
    path: "/v1/model-uploads/:id",
    tag,
    summary: "Looks at uploaded weights, and makes them the next version under a name when they are those of the card",
    params: idParams,
    body: adoptModelRequest,
    answers: { 202: jobAnswer },
    problems: ["REQUEST_NOT_FOUND", "REQUEST_CONFLICT", "DATASET_FILE_MISSING", "MODEL_INVALID"],
  }),
  readModel: route({
    method: "GET",
    path: "/v1/models/:id",
    tag,
    summary: "A model with its versions",
    params: idParams,
    answers: { 200: modelAnswer },
  }),
  deleteModel: route({
    method: "DELETE",
    path: "/v1/models/:id",
    tag,
    summary: "Deletes a model with all its versions; jobs that apply one go on to their end",
    params: idParams,
    answers: { 204: { description: "It is deleted" } },
  }),
  readModelVersion: route({
    method: "GET",
    path: "/v1/model-versions/:id",
    tag,
    summary: "The card of a version: data, spec, metrics, files, and the jobs that use it",
    params: idParams,
    answers: { 200: modelCard },
  }),
  changeModelVersion: route({
    method: "PUT",
    path: "/v1/model-versions/:id",
    tag,
    summary: "Moves a version to another stage, or changes its note; what is left out stays",
    params: idParams,
    body: modelVersionChange,
    answers: { 200: modelVersionAnswer },
  }),
  deleteModelVersion: route({
    method: "DELETE",
    path: "/v1/model-versions/:id",
    tag,
    summary: "Deletes a version; a job that applies it goes on to its end",
    params: idParams,
    answers: { 204: { description: "It is deleted" } },
  }),
};
