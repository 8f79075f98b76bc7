import { limits } from "@hopwise/contracts";
import { choosePreset, figuresOf, type OfferedTask, offeredTasks } from "@hopwise/gnn-core/spec";
import { artifactInfo, datasetSpecOf, problemOfRow } from "../../database/stored-json.ts";
import { confirmSpec } from "../../datasets/confirm-spec.ts";
import { createVersion } from "../../datasets/create-version.ts";
import { createDataset, deleteDataset, findDataset, listDatasets } from "../../datasets/dataset-service.ts";
import { builder } from "../base/builder.ts";
import { costs, nestedListCost, pageCost } from "../base/costs.ts";
import { askedOfNodes, connectionOf } from "./connection.ts";
import { DatasetStateEnum } from "./enums.ts";
import { GraphInfoType, IngestReportType } from "./graph-info.ts";
import { JobType } from "./job.ts";
import { PresetProposalType } from "./preset-proposal.ts";
import { PreviewType } from "./preview.ts";
import { ProblemType } from "./problem.ts";

const SourceFile = builder.prismaObject("SourceFile", {
  fields: (t) => ({
    id: t.exposeID("id"),
    name: t.exposeString("name"),
    bytes: t.expose("bytes", { type: "SafeInt" }),
    sha256: t.exposeString("sha256"),
    createdAt: t.expose("createdAt", { type: "DateTime" }),
  }),
});

const OfferedTaskType = builder.objectRef<OfferedTask>("OfferedTask").implement({
  fields: (t) => ({
    label: t.exposeString("label"),
    type: t.exposeString("type", { description: "Name of the task in the catalogue" }),
    task: t.expose("task", { type: "JSON", description: "The `task` section of a job spec" }),
  }),
});

export const DatasetVersionType = builder.prismaObject("DatasetVersion", {
  fields: (t) => ({
    id: t.exposeID("id"),
    number: t.exposeInt("number"),
    ref: t.string({
      description: "What a job spec's `dataset` says to mean exactly this version",
      select: { datasetId: true, number: true },
      resolve: (version) => `${version.datasetId}@${version.number}`,
    }),
    dataset: t.relation("dataset"),
    contentHash: t.exposeString("contentHash", { nullable: true }),
    state: t.expose("state", { type: DatasetStateEnum }),
    createdAt: t.expose("createdAt", { type: "DateTime" }),
    files: t.field({
      type: [SourceFile],
      complexity: nestedListCost(limits.filesPerDataset),
      select: { sources: { orderBy: [{ createdAt: "asc" }, { id: "asc" }] } },
      resolve: (version) => version.sources,
    }),
    preview: t.field({
      type: PreviewType,
      nullable: true,
      complexity: costs.json,
      select: { preview: true },
      resolve: (version) => version.preview && artifactInfo("preview", version.preview.info),
    }),
    spec: t.expose("spec", {
      type: "JSON",
      complexity: costs.json,
      nullable: true,
      description: "The DatasetSpec it was ingested with",
    }),
    graph: t.field({
      type: GraphInfoType,
      nullable: true,
      complexity: costs.json,
      select: { graph: true },
      resolve: (version) => version.graph && artifactInfo("graph", version.graph.info),
    }),
    report: t.field({
      type: IngestReportType,
      nullable: true,
      complexity: costs.json,
      select: { graph: true },
      resolve: (version) => version.graph && artifactInfo("graph", version.graph.info).report,
    }),
    proposedPreset: t.field({
      type: PresetProposalType,
      nullable: true,
      complexity: costs.json,
      select: { graph: true },
      resolve: (version) => version.graph && choosePreset(figuresOf(artifactInfo("graph", version.graph.info))),
    }),
    tasks: t.field({
      type: [OfferedTaskType],
      complexity: nestedListCost(20),
      description: "What its columns let one learn, the default task first; empty until they are confirmed",
      select: { spec: true },
      resolve: (version, _args, { services }) => {
        const spec = datasetSpecOf(version);
        return spec ? [...offeredTasks(spec, services.registry)] : [];
      },
    }),
    problem: t.field({
      type: ProblemType,
      nullable: true,
      select: { problem: true },
      resolve: (version) => problemOfRow(version),
    }),
    jobs: t.relation("jobs", {
      description: "Jobs that read this version, its map and ingest jobs among them; newest first",
      complexity: { field: 50 * costs.row, multiplier: 50 },
      query: { orderBy: { createdAt: "desc" }, take: 50 },
    }),
  }),
});

export const DatasetType = builder.prismaObject("Dataset", {
  fields: (t) => ({
    id: t.exposeID("id"),
    project: t.relation("project"),
    name: t.exposeString("name"),
    createdBy: t.relation("creator"),
    createdAt: t.expose("createdAt", { type: "DateTime" }),
    versions: t.relation("versions", {
      complexity: { field: 200 * costs.row, multiplier: 200 },
      query: { orderBy: { number: "desc" }, take: 200 },
      description: "The newest 200, newest first",
    }),
    latest: t.field({
      type: DatasetVersionType,
      select: (_args, _context, nested) => ({ versions: nested({ orderBy: { number: "desc" }, take: 1 }) }),
      resolve: (dataset) => {
        const [version] = dataset.versions;
        if (!version) throw new Error(`Dataset ${dataset.id} has no version.`);
        return version;
      },
    }),
    version: t.field({
      type: DatasetVersionType,
      nullable: true,
      description: "By its number; left out: the newest",
      args: { number: t.arg.int() },
      select: ({ number }, _context, nested) => {
        const where = typeof number === "number" ? { number } : {};
        return { versions: nested({ where, orderBy: { number: "desc" }, take: 1 }) };
      },
      resolve: (dataset) => dataset.versions[0] ?? null,
    }),
    newestReady: t.field({
      type: DatasetVersionType,
      nullable: true,
      description: "The newest version with a graph to train on; null as long as there is none",
      select: (_args, _context, nested) => ({
        versions: nested({ where: { state: "READY" }, orderBy: { number: "desc" }, take: 1 }),
      }),
      resolve: (dataset) => dataset.versions[0] ?? null,
    }),
  }),
});

const DatasetConnection = connectionOf("Dataset", DatasetType);

builder.queryFields((t) => ({
  datasets: t.field({
    type: DatasetConnection,
    args: { project: t.arg.id(), first: t.arg.int(), after: t.arg.string() },
    complexity: pageCost,
    resolve: (_root, args, context, info) =>
      listDatasets(context.services, context.viewer, args, askedOfNodes(context, info, "Dataset")),
  }),
  dataset: t.field({
    type: DatasetType,
    nullable: true,
    complexity: costs.query,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, { services, viewer }) => findDataset(services, viewer, id),
  }),
}));

builder.mutationFields((t) => ({
  createDataset: t.field({
    type: DatasetType,
    complexity: costs.mutation,
    args: { project: t.arg.id(), name: t.arg.string({ required: true }) },
    resolve: (_root, args, { services, viewer }) => createDataset(services, viewer, args),
  }),
  createDatasetVersion: t.field({
    type: DatasetVersionType,
    complexity: costs.mutation,
    description: "Makes the next version of a dataset whose newest is READY or FAILED, to map it anew",
    args: {
      dataset: t.arg.id({ required: true }),
      withFiles: t.arg.boolean({
        required: true,
        defaultValue: true,
        description: "true: begins with the files of the newest version; false: empty, for other files",
      }),
    },
    resolve: (_root, { dataset, withFiles }, { services, viewer }) =>
      createVersion(services, viewer, dataset, { withFiles }),
  }),
  ingestDataset: t.field({
    type: JobType,
    complexity: costs.mutation,
    args: { version: t.arg.id({ required: true }), spec: t.arg({ type: "DatasetSpecInput", required: true }) },
    resolve: (_root, args, { services, viewer, requestId }) =>
      confirmSpec(services, viewer, args.version, args.spec, requestId),
  }),
  deleteDataset: t.boolean({
    complexity: costs.mutation,
    args: { id: t.arg.id({ required: true }) },
    resolve: async (_root, { id }, { services, viewer }) => {
      await deleteDataset(services, viewer, id);
      return true;
    },
  }),
}));
