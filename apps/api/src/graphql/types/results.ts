import { infoOf } from "../../database/stored-json.ts";
import { type Download, downloadsOf } from "../../jobs/downloads.ts";
import { type EmbeddingMap, embeddingMapOf } from "../../jobs/embedding-map.ts";
import { type EmbeddingSet, embeddingSetOf } from "../../jobs/embedding-set.ts";
import { artifactsOf, exportsOf, metricsOf, type ShownModel, shownModelOf } from "../../jobs/job-artifacts.ts";
import { type RequestedExport, requestExport } from "../../jobs/request-export.ts";
import { builder } from "../base/builder.ts";
import { costs, listCost, nestedListCost } from "../base/costs.ts";
import { modelsOfJobs } from "../base/models-of-jobs.ts";
import { ArtifactType, CheckpointType } from "./artifact.ts";
import { JobType } from "./job.ts";

const DownloadType = builder.objectRef<Download>("Download").implement({
  fields: (t) => ({
    kind: t.exposeString("kind", { description: "embeddings, predictions, pairs (of tasks on edges) or model" }),
    format: t.exposeString("format"),
    name: t.exposeString("name", { description: "Name of the file" }),
    ready: t.exposeBoolean("ready", {
      description: "false: the mutation requestExport makes it, and it is then at the url",
    }),
    bytes: t.expose("bytes", { type: "SafeInt", nullable: true }),
    sha256: t.exposeString("sha256", { nullable: true }),
    url: t.exposeString("url"),
  }),
});

const MapColumnType = builder.objectRef<EmbeddingMap["columns"][number]>("MapColumn").implement({
  description: "What the points of a map can be coloured by",
  fields: (t) => ({
    name: t.exposeString("name"),
    type: t.exposeString("type", {
      description: "category: int32 codes, −1 = not known; number: float32, NaN = not known",
    }),
    names: t.exposeStringList("names", { description: "What the codes of a category stand for" }),
    blob: t.exposeString("blob", { description: "The file of the map's artifact that has an entry for each point" }),
  }),
});

const ProjectionType = builder.objectRef<EmbeddingMap>("Projection").implement({
  description: "2-D map of the embeddings",
  fields: (t) => ({
    method: t.exposeString("method"),
    explained: t.floatList({ nullable: true, resolve: (map) => map.explained }),
    numPoints: t.expose("numPoints", { type: "SafeInt", description: "Nodes in the map: a sample of a large graph" }),
    classes: t.exposeStringList("classes", { description: "What labels.npy counts in" }),
    numDetailed: t.expose("numDetailed", {
      type: "SafeInt",
      description: "Points, listed in detailed.npy, whose nearest nodes were found and which UMAP laid out",
    }),
    numNearest: t.exposeInt("numNearest", { description: "Nearest nodes that each of these has" }),
    hasUmap: t.exposeBoolean("hasUmap", { description: "false: there were too few points for UMAP" }),
    effectiveDim: t.exposeFloat("effectiveDim", {
      nullable: true,
      description: "Over how many dimensions the embeddings spread: (Σλ)² / Σλ² of their covariance's eigenvalues",
    }),
    columns: t.field({ type: [MapColumnType], resolve: ({ columns }) => columns }),
    artifact: t.field({
      type: ArtifactType,
      description:
        "Holds an entry for each point, in .npy files: projection.npy (x, y), rows.npy (NodeIndex), labels.npy (index into " +
        "classes, −1 = unlabelled), ids/offsets.npy and ids/bytes.npy (your ids, UTF-8), degrees.npy, neighbors/offsets.npy " +
        "and neighbors/points.npy (in-neighbours on the map), and the columns; for each point of detailed.npy also umap.npy, " +
        "nearest/points.npy and nearest/similarities.npy. Maps made before ids were kept have only the first two.",
      resolve: ({ artifact }) => artifact,
    }),
  }),
});

const EmbeddingSetType = builder.objectRef<EmbeddingSet>("EmbeddingSet").implement({
  fields: (t) => ({
    id: t.exposeID("id"),
    numRows: t.expose("numRows", { type: "SafeInt" }),
    dim: t.exposeInt("dim"),
    layer: t.exposeString("layer"),
    projection: t.field({
      type: ProjectionType,
      nullable: true,
      complexity: costs.query,
      resolve: (set, _args, { services }) => embeddingMapOf(services, set.jobId),
    }),
    downloads: t.field({
      type: [DownloadType],
      complexity: { field: 5 * costs.query, multiplier: 4 },
      resolve: (set, _args, { services }) => downloadsOf(services, set.jobId, "embeddings"),
    }),
  }),
});

interface ModelShape {
  readonly id: string;
  readonly jobId: string;
  readonly shown: ShownModel;
  readonly info: Record<string, unknown>;
}

const ModelType = builder.objectRef<ModelShape>("Model").implement({
  fields: (t) => ({
    id: t.exposeID("id"),
    type: t.string({ resolve: ({ shown }) => shown.model?.type ?? "" }),
    metrics: t.field({ type: "JSON", complexity: costs.json, resolve: ({ shown }) => shown.metrics ?? {} }),
    epochs: t.int({ nullable: true, resolve: ({ shown }) => shown.epochs ?? null }),
    info: t.expose("info", { type: "JSON", complexity: costs.json }),
    downloads: t.field({
      type: [DownloadType],
      complexity: { field: costs.query, multiplier: 10 },
      resolve: (model, _args, { services }) => downloadsOf(services, model.jobId, "model"),
    }),
  }),
});

builder.prismaObjectFields("Job", (t) => ({
  model: t.field({
    type: ModelType,
    nullable: true,
    complexity: costs.query,
    select: { id: true },
    resolve: async (job, _args, context) => {
      const model = await modelsOfJobs.read(context, job.id);
      return model && { id: model.id, jobId: job.id, shown: shownModelOf(model), info: infoOf(model) };
    },
  }),
  metrics: t.field({
    type: "JSON",
    nullable: true,
    complexity: costs.json + costs.query,
    description: "Figures of the model that it trained or applied; null as long as there are none",
    select: { id: true },
    resolve: (job, _args, { services }) => metricsOf(services, job.id),
  }),
  embeddings: t.field({
    type: EmbeddingSetType,
    nullable: true,
    complexity: costs.query,
    select: { id: true },
    resolve: (job, _args, { services }) => embeddingSetOf(services, job.id),
  }),
  predictions: t.field({
    type: ArtifactType,
    nullable: true,
    complexity: costs.query,
    description: "The exports artifact that holds them; see predictionDownloads",
    select: { id: true },
    resolve: async (job, _args, { services }) => (await exportsOf(services, job.id))[0] ?? null,
  }),
  predictionDownloads: t.field({
    type: [DownloadType],
    complexity: { field: 3 * costs.query, multiplier: 4 },
    select: { id: true },
    resolve: (job, _args, { services }) => downloadsOf(services, job.id, "predictions"),
  }),
  checkpoints: t.field({
    type: [CheckpointType],
    complexity: nestedListCost(200),
    select: {
      artifacts: { where: { kind: "checkpoint", deletedAt: null }, orderBy: { createdAt: "desc" }, take: 200 },
    },
    resolve: (job) => job.artifacts,
  }),
  artifacts: t.field({
    type: [ArtifactType],
    complexity: listCost(1000),
    args: { kind: t.arg.string() },
    description: "What its stages made or, when cached, found",
    select: { id: true },
    resolve: (job, { kind }, { services }) => artifactsOf(services, job.id, kind),
  }),
}));

const ExportKindEnum = builder.enumType("ExportKind", {
  values: { EMBEDDINGS: { value: "embeddings" }, PREDICTIONS: { value: "predictions" } } as const,
});

const RequestedExportType = builder.objectRef<RequestedExport>("RequestedExport").implement({
  fields: (t) => ({
    url: t.exposeString("url", { description: "Where the file is or will be" }),
    job: t.field({
      type: JobType,
      nullable: true,
      description: "The job that makes it; null: it is there",
      resolve: ({ job }) => job,
    }),
  }),
});

builder.mutationField("requestExport", (t) =>
  t.field({
    type: RequestedExportType,
    description: "Has one more format of a job's results made; needs the role editor",
    args: {
      job: t.arg.id({ required: true }),
      kind: t.arg({ type: ExportKindEnum, required: true }),
      format: t.arg.string({ required: true, description: "As in the downloads of this kind" }),
      idColumn: t.arg.string({ description: "What the column of ids of embeddings is called; left out: id" }),
      vectorColumn: t.arg.string({ description: "What the column of vectors is called; left out: embedding" }),
    },
    resolve: (_root, { job, kind, format, idColumn, vectorColumn }, { services, viewer }) =>
      requestExport(services, viewer, job, kind, format, { id: idColumn, vector: vectorColumn }),
  }),
);
