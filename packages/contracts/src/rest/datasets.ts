import { graphInfo, previewInfo } from "@hopwise/gnn-core/spec";
import { z } from "zod";
import { problem } from "../errors/problem.ts";
import { presetAnswer } from "./catalog.ts";
import { jobAnswer } from "./jobs.ts";
import { route } from "./route.ts";
import { count, idParams, isoTime, pageOf, pageQuery } from "./shapes.ts";

export const datasetState = z.enum(["UPLOADING", "MAPPING", "INGESTING", "READY", "FAILED"]);

export const sourceFileAnswer = z
  .object({
    id: z.string(),
    name: z.string(),
    bytes: count,
    sha256: z.string(),
    source: z
      .string()
      .nullable()
      .describe("Where an import had it from, without the values of the address's query; null: it was uploaded"),
    importId: z.string().nullable().describe("That import"),
    carriedFrom: count.nullable().describe("Number of the version that it came with first; null: this one"),
    createdAt: isoTime,
  })
  .meta({ id: "SourceFile" });
export type SourceFileAnswer = z.infer<typeof sourceFileAnswer>;

export const datasetAnswer = z
  .object({
    id: z.string(),
    projectId: z.string(),
    name: z.string(),
    createdBy: z.string(),
    createdAt: isoTime,
  })
  .meta({ id: "Dataset" });
export type DatasetAnswer = z.infer<typeof datasetAnswer>;

export const datasetVersionAnswer = z
  .object({
    id: z.string(),
    number: count,
    ref: z.string().describe("What a job spec's `dataset` says to mean exactly this version"),
    state: datasetState,
    addsTo: count
      .nullable()
      .describe("Number of the version whose files and mapping it keeps, and adds rows to; null: it stands alone"),
    contentHash: z.string().nullable().describe("Digest of the graph"),
    spec: z.record(z.string(), z.unknown()).nullable().describe("The DatasetSpec it was ingested with"),
    problem: problem.nullable(),
    createdAt: isoTime,
    readyAt: isoTime.nullable(),
    sources: z.array(sourceFileAnswer),
    graph: z.object({ id: z.string(), digest: z.string(), info: graphInfo }).nullable(),
  })
  .meta({ id: "DatasetVersion" });
export type DatasetVersionAnswer = z.infer<typeof datasetVersionAnswer>;

export const datasetDetails = datasetAnswer
  .extend({ versions: z.array(datasetVersionAnswer).describe("Newest first") })
  .meta({ id: "DatasetDetails" });
export type DatasetDetails = z.infer<typeof datasetDetails>;

export const uploadAnswer = z
  .object({
    version: z.string(),
    number: count,
    files: z.array(sourceFileAnswer),
    previewJob: z.string().nullable().describe("The job that looks at the files; null with `preview=false`"),
  })
  .meta({ id: "Upload" });
export type UploadAnswer = z.infer<typeof uploadAnswer>;

export const previewAnswer = previewInfo.extend({ version: z.string() }).meta({ id: "Preview" });
export type PreviewAnswer = z.infer<typeof previewAnswer>;

const presetProposalAnswer = z
  .object({
    reason: z.string().describe("The graph's figures, and what they ask for"),
    preset: presetAnswer.describe("With features read as those of this graph ask for"),
    others: z
      .array(presetAnswer)
      .describe("All others: those for the same situation first, the most advisable before the rest"),
  })
  .meta({ id: "PresetProposal" });
export type PresetProposalAnswer = z.infer<typeof presetProposalAnswer>;

export const newDataset = z.strictObject({ name: z.string(), project: z.string().optional() });

export const uploadQuery = z.object({
  preview: z
    .enum(["true", "false"])
    .default("true")
    .describe("false: more files follow; POST …/preview when they are complete"),
  replace: z
    .enum(["true", "false"])
    .default("false")
    .describe("true: a file of a name that is there already takes its place, as long as no graph was built"),
});

export const previewRequest = z.strictObject({
  readers: z
    .record(
      z.string().max(200),
      z.strictObject({ type: z.string(), options: z.record(z.string(), z.unknown()).default({}) }),
    )
    .default({})
    .describe("Reader and options of single files, by their names; the others are read as they show themselves"),
});

export const newVersion = z.strictObject({
  withFiles: z
    .boolean()
    .default(true)
    .describe("true: begins with the files of the newest version; false: empty, for other files"),
  adds: z
    .boolean()
    .optional()
    .describe("true: keeps the mapping of the newest version too, to whose rows those of further files are added"),
});

const tag = "datasets";

export const datasetRoutes = {
  listDatasets: route({
    method: "GET",
    path: "/v1/datasets",
    tag,
    summary: "The datasets, newest first",
    query: pageQuery,
    answers: { 200: pageOf(datasetAnswer) },
    problems: ["REQUEST_NOT_FOUND"],
  }),
  createDataset: route({
    method: "POST",
    path: "/v1/datasets",
    tag,
    summary: "Makes a dataset with its first, empty version",
    body: newDataset,
    answers: { 201: datasetDetails },
    problems: ["REQUEST_NOT_FOUND"],
  }),
  readDataset: route({
    method: "GET",
    path: "/v1/datasets/:id",
    tag,
    summary: "A dataset with its versions",
    params: idParams,
    answers: { 200: datasetDetails },
  }),
  deleteDataset: route({
    method: "DELETE",
    path: "/v1/datasets/:id",
    tag,
    summary: "Deletes a dataset; jobs keep their own results",
    params: idParams,
    answers: { 204: { description: "It is deleted" } },
    problems: ["REQUEST_CONFLICT"],
  }),
  createVersion: route({
    method: "POST",
    path: "/v1/datasets/:id/versions",
    tag,
    summary: "Makes the next version of a dataset whose newest is READY or FAILED, to map it anew",
    params: idParams,
    body: newVersion,
    answers: { 201: datasetVersionAnswer },
    problems: ["REQUEST_CONFLICT"],
  }),
  uploadFiles: route({
    method: "POST",
    path: "/v1/datasets/:id/files",
    tag,
    summary: "Uploads files to the newest version, or to a new one when that is READY",
    params: idParams,
    query: uploadQuery,
    consumes: ["multipart/form-data"],
    answers: { 201: uploadAnswer },
    problems: ["REQUEST_CONFLICT", "DATASET_FILE_NAME", "DATASET_FILE_EMPTY", "DATASET_FILE_MISSING"],
  }),
  requestPreview: route({
    method: "POST",
    path: "/v1/datasets/:id/preview",
    tag,
    summary: "Has the uploaded files looked at, by a job of the kind map",
    params: idParams,
    body: previewRequest,
    answers: { 202: jobAnswer },
    problems: [
      "REQUEST_CONFLICT",
      "DATASET_NOT_READY",
      "DATASET_FILE_MISSING",
      "COMPONENT_UNKNOWN",
      "SPEC_INVALID",
      "ARTIFACT_DAMAGED",
      "ARTIFACT_MISSING",
    ],
  }),
  readPreview: route({
    method: "GET",
    path: "/v1/datasets/:id/preview",
    tag,
    summary: "What the map job found in the files, and the DatasetSpec that it proposes",
    params: idParams,
    answers: { 200: previewAnswer },
    problems: ["DATASET_NOT_READY"],
  }),
  readPreset: route({
    method: "GET",
    path: "/v1/datasets/:id/preset",
    tag,
    summary: "The preset of job specs that suits the graph by its figures and what is to be learnt, with the reason",
    params: idParams,
    query: z.object({
      task: z
        .string()
        .max(4000)
        .optional()
        .describe("What is to be learnt, the `task` section of a job spec as JSON; left out: what is known of nodes"),
    }),
    answers: { 200: presetProposalAnswer },
    problems: ["DATASET_NOT_READY", "JOB_SPEC_INVALID"],
  }),
  confirmSpec: route({
    method: "PUT",
    path: "/v1/datasets/:id/spec",
    tag,
    summary: "Confirms how the files become a graph, and starts the job of the kind ingest",
    params: idParams,
    body: z.unknown().describe("DatasetSpec: GET /v1/schemas/dataset-spec.json"),
    consumes: ["application/json", "application/yaml"],
    answers: { 202: jobAnswer },
    problems: [
      "REQUEST_CONFLICT",
      "DATASET_NOT_READY",
      "DATASET_FILE_MISSING",
      "DATASET_COLUMN_MISSING",
      "COMPONENT_UNKNOWN",
      "SPEC_INVALID",
      "ARTIFACT_DAMAGED",
      "ARTIFACT_MISSING",
    ],
  }),
};
