import { confirmSpec } from "../../datasets/confirm-spec.ts";
import { createVersion } from "../../datasets/create-version.ts";
import { createDataset, deleteDataset, findDataset, listDatasets } from "../../datasets/dataset-service.ts";
import { builder } from "../base/builder.ts";
import { costs, pageCost } from "../base/costs.ts";
import { askedOfNodes, connectionOf } from "./connection.ts";
import { DatasetVersionType } from "./dataset-version.ts";
import { JobType } from "./job.ts";

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
