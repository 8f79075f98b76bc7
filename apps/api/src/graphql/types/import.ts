import { importRequest, limits } from "@hopwise/contracts";
import { problemOfRow } from "../../database/stored-json.ts";
import { ImportState } from "../../generated/prisma/enums.ts";
import { cancelImport, repeatImport } from "../../imports/change-import.ts";
import { getImport, type ImportWithFiles, listImports, progressOf } from "../../imports/import-queries.ts";
import type { PublishedDataset } from "../../imports/published/published-dataset.ts";
import { publishedDatasets } from "../../imports/published/published-datasets.ts";
import { requestImport } from "../../imports/request-import.ts";
import { schedulesOfImports } from "../../imports/schedules/schedules-of-imports.ts";
import { builder } from "../base/builder.ts";
import { contractInput, withoutNulls } from "../base/contract-input.ts";
import { costs, listCost, nestedListCost } from "../base/costs.ts";
import { ProblemType } from "./problem.ts";

const ImportedFileType = builder.objectRef<ImportWithFiles["files"][number]>("ImportedFile").implement({
  fields: (t) => ({
    name: t.exposeString("name"),
    source: t.exposeString("source", {
      description: "The address, without the values of its query, which may be secret",
    }),
    query: t.exposeString("query", {
      nullable: true,
      description: "What a database is asked; null: it is a file that is fetched",
    }),
    rowsDone: t.expose("rowsDone", {
      type: "SafeInt",
      nullable: true,
      description: "Rows of the answer so far; null for a file that is fetched",
    }),
    credential: t.exposeString("credential", {
      nullable: true,
      description: "Name of the credential that is sent along",
    }),
    expectedSha256: t.exposeString("expectedSha256", { nullable: true }),
    bytesDone: t.expose("bytesDone", { type: "SafeInt" }),
    bytesTotal: t.expose("bytesTotal", {
      type: "SafeInt",
      nullable: true,
      description: "As the source says; null: it has not, or not yet",
    }),
    sha256: t.exposeString("sha256", {
      nullable: true,
      description: "Digest of the whole file, once it is a version's",
    }),
  }),
});

/** The schedules of a list are read together, before its fields are. */
type ListedImport = ImportWithFiles & { readonly repeatedBy?: string | null };

const ImportType = builder.objectRef<ListedImport>("Import").implement({
  fields: (t) => ({
    id: t.exposeID("id"),
    datasetId: t.exposeID("datasetId"),
    state: t.field({
      type: builder.enumType(ImportState, { name: "ImportState" }),
      description: "SUCCEEDED: the version has the files, and the job that reads them is queued",
      resolve: ({ state }) => state,
    }),
    files: t.field({
      type: [ImportedFileType],
      complexity: nestedListCost(limits.filesPerDataset),
      resolve: ({ files }) => files,
    }),
    bytesDone: t.field({
      type: "SafeInt",
      description: "In all files",
      resolve: (row) => progressOf(row).bytesDone,
    }),
    bytesTotal: t.field({
      type: "SafeInt",
      nullable: true,
      description: "In all files; null as long as it is not known of each",
      resolve: (row) => progressOf(row).bytesTotal,
    }),
    etaSeconds: t.float({ nullable: true, resolve: (row) => progressOf(row).etaSeconds }),
    waitReason: t.exposeString("waitReason", {
      nullable: true,
      description: "Why nothing comes now, or how far the files that have come are put together",
    }),
    published: t.exposeString("published", {
      nullable: true,
      description: "Name of the published data set that it fetches, if it is one",
    }),
    version: t.exposeID("versionId", { nullable: true, description: "The version that has the files" }),
    jobId: t.exposeID("jobId", {
      nullable: true,
      description: "The job that looks at the files or builds the graph",
    }),
    repeatedBy: t.id({
      nullable: true,
      description: "The schedule that fetches from these addresses into the dataset, whichever import it was made of",
      resolve: async (row, _args, { services }) =>
        row.repeatedBy === undefined ? ((await schedulesOfImports(services, [row]))[0] ?? null) : row.repeatedBy,
    }),
    problem: t.field({ type: ProblemType, nullable: true, resolve: (row) => problemOfRow(row) }),
    createdBy: t.exposeString("createdBy"),
    createdAt: t.expose("createdAt", { type: "DateTime" }),
    startedAt: t.expose("startedAt", { type: "DateTime", nullable: true }),
    finishedAt: t.expose("finishedAt", { type: "DateTime", nullable: true }),
  }),
});

const ImportedFileInput = builder.inputType("ImportedFileInput", {
  fields: (t) => ({
    url: t.string({
      required: true,
      description:
        "https://…, s3://…, or postgresql:// and mysql:// with a query; http://… and private addresses where the operator allows the network",
    }),
    query: t.string({
      description:
        "For a database: one statement that reads; its rows become a file of JSON lines. For an SQLite or DuckDB file: kept as NAME.sql beside it, and run where it is read",
    }),
    name: t.string({
      description: "Name in the dataset; left out: the last part of the address, or query.jsonl",
    }),
    sha256: t.string({ description: "What the file must have, else the import fails" }),
    credential: t.string({ description: "Name of a credential of the project" }),
  }),
});

const ImportInput = builder.inputType("ImportInput", {
  fields: (t) => ({
    files: t.field({ type: [ImportedFileInput] }),
    published: t.string({
      description: "In place of files: name of a published data set, whose graph is built at once",
    }),
    replace: t.boolean({
      description: "true: a file of a name that is there already takes its place, as long as no graph was built",
    }),
    spec: t.field({
      type: "DatasetSpecInput",
      description: "A DatasetSpec that the graph is built with at once",
    }),
  }),
});

const PublishedDatasetType = builder.objectRef<PublishedDataset>("PublishedDataset").implement({
  fields: (t) => ({
    name: t.exposeString("name", { description: "What it is imported by" }),
    title: t.exposeString("title"),
    summary: t.exposeString("summary", {
      description: "What its nodes, edges and labels are, and which split comes with it",
    }),
    numNodes: t.exposeInt("numNodes", { description: "As its publisher counts them" }),
    numEdges: t.exposeInt("numEdges", { description: "As its publisher counts them" }),
    licence: t.exposeString("licence", {
      nullable: true,
      description: "What its publisher says of its use; null: nothing at this address",
    }),
    approximateBytes: t.exposeFloat("approximateBytes", {
      nullable: true,
      description: "About how much is fetched; null: not known",
    }),
    spec: t.expose("spec", {
      type: "JSON",
      complexity: costs.json,
      description: "The DatasetSpec that maps its files",
    }),
  }),
});

builder.queryFields((t) => ({
  publishedDatasets: t.field({
    type: [PublishedDatasetType],
    description: "Data sets that others have published, which can be imported by their names",
    complexity: nestedListCost(50),
    resolve: () => [...publishedDatasets],
  }),
  imports: t.field({
    type: [ImportType],
    description: "The newest imports of a dataset, the newest first",
    complexity: listCost(limits.importsShown),
    args: { dataset: t.arg.id({ required: true }) },
    resolve: async (_root, { dataset }, { services, viewer }) => {
      const imports = await listImports(services, viewer, dataset);
      const schedules = await schedulesOfImports(services, imports);
      return imports.map((one, i) => ({ ...one, repeatedBy: schedules[i] ?? null }));
    },
  }),
  import: t.field({
    type: ImportType,
    complexity: costs.query,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, { services, viewer }) => getImport(services, viewer, id),
  }),
}));

builder.mutationFields((t) => ({
  startImport: t.field({
    type: ImportType,
    complexity: costs.mutation,
    description: "Has files fetched from addresses into the newest version, or into a new one when that is READY",
    args: { dataset: t.arg.id({ required: true }), input: t.arg({ type: ImportInput, required: true }) },
    resolve: (_root, { dataset, input }, { services, viewer }) => {
      const files = input.files?.map(withoutNulls);
      return requestImport(services, viewer, dataset, contractInput(importRequest, { ...input, files }));
    },
  }),
  cancelImport: t.field({
    type: ImportType,
    complexity: costs.mutation,
    description: "Ends an import; nothing of it becomes part of the dataset",
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, { services, viewer }) => cancelImport(services, viewer, id),
  }),
  repeatImport: t.field({
    type: ImportType,
    complexity: costs.mutation,
    description:
      "Fetches from the same addresses once more: after a success into a new version, which is read as the last",
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, { services, viewer }) => repeatImport(services, viewer, id),
  }),
}));
