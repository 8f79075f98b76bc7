import { limits } from "@hopwise/contracts";
import { type OfferedTask, offeredTasks } from "@hopwise/gnn-core/spec";
import { artifactInfo, datasetSpecOf, problemOfRow } from "../../database/stored-json.ts";
import { proposePreset } from "../../datasets/propose-preset.ts";
import { builder } from "../base/builder.ts";
import { costs, nestedListCost } from "../base/costs.ts";
import { DatasetStateEnum } from "./enums.ts";
import { GraphInfoType, IngestReportType } from "./graph-info.ts";
import { PresetProposalType } from "./preset-proposal.ts";
import { PreviewType } from "./preview.ts";
import { ProblemType } from "./problem.ts";

const SourceFile = builder.prismaObject("SourceFile", {
  fields: (t) => ({
    id: t.exposeID("id"),
    name: t.exposeString("name"),
    bytes: t.expose("bytes", { type: "SafeInt" }),
    sha256: t.exposeString("sha256"),
    source: t.exposeString("source", {
      nullable: true,
      description: "Where an import had it from, without the values of the address's query; null: it was uploaded",
    }),
    importId: t.exposeID("importId", { nullable: true, description: "That import" }),
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

/** What is known of its graph, by and by: what its files look like, what they were read as, what came of it. */
builder.prismaObjectFields("DatasetVersion", (t) => ({
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
    args: { task: t.arg({ type: "JSON", description: "What is to be learnt: the `task` section of a job spec" }) },
    select: { graph: true },
    resolve: ({ graph }, { task }, { services }) =>
      graph && proposePreset(artifactInfo("graph", graph.info), task, services.registry),
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
}));
