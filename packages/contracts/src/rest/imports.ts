import { z } from "zod";
import { problem } from "../errors/problem.ts";
import { limits } from "../limits.ts";
import { route } from "./route.ts";
import { count, idParams, isoTime, listOf } from "./shapes.ts";

export const importState = z
  .enum(["WAITING", "RUNNING", "SUCCEEDED", "FAILED", "CANCELLED"])
  .describe("SUCCEEDED: the version has the files, and the job that reads them is queued");

export const importedFileAnswer = z
  .object({
    name: z.string(),
    source: z.string().describe("The address, without the values of its query, which may be secret"),
    query: z.string().nullable().describe("What a database is asked; null: it is a file that is fetched"),
    credential: z.string().nullable().describe("Name of the credential that is sent along"),
    expectedSha256: z.string().nullable(),
    bytesDone: count,
    bytesTotal: count.nullable().describe("As the source says; null: it has not, or not yet"),
    rowsDone: count.nullable().describe("Rows of the answer so far; null for a file that is fetched"),
    sha256: z.string().nullable().describe("Digest of the whole file, once it is a version's"),
    storedAs: z
      .string()
      .nullable()
      .describe("What it is called in the version; null: it is not there, or had no rows to add"),
  })
  .meta({ id: "ImportedFile" });
export type ImportedFileAnswer = z.infer<typeof importedFileAnswer>;

export const importAnswer = z
  .object({
    id: z.string(),
    datasetId: z.string(),
    state: importState,
    adds: z.boolean().describe("Its rows are added to those of the newest graph"),
    files: z.array(importedFileAnswer),
    bytesDone: count.describe("In all files"),
    bytesTotal: count.nullable().describe("In all files; null as long as it is not known of each"),
    etaSeconds: z.number().nullable(),
    waitReason: z
      .string()
      .nullable()
      .describe("Why nothing comes now, or how far the files that have come are put together"),
    published: z.string().nullable().describe("Name of the published data set that it fetches, if it is one"),
    version: z.string().nullable().describe("The version that has the files"),
    jobId: z.string().nullable().describe("The job that looks at the files or builds the graph"),
    problem: problem.nullable(),
    createdBy: z.string(),
    createdAt: isoTime,
    startedAt: isoTime.nullable(),
    finishedAt: isoTime.nullable(),
  })
  .meta({ id: "Import" });
export type ImportAnswer = z.infer<typeof importAnswer>;

export const importedFileRequest = z.strictObject({
  url: z
    .string()
    .max(4000)
    .describe(
      "https://…, or s3://bucket/key?region=…&endpoint=…, whose key may end with / to mean all objects below; " +
        "postgresql://host/database or mysql://host/database with a query; " +
        "http://… and private addresses where the operator allows the network",
    ),
  query: z
    .string()
    .min(1)
    .max(limits.importQueryLength)
    .optional()
    .describe(
      "For a database: one statement that reads; its rows become a file of JSON lines. For the address of an SQLite or " +
        "DuckDB file, which is fetched once: kept as NAME.sql beside it, and run where the file is read",
    ),
  name: z
    .string()
    .max(200)
    .optional()
    .describe("Name in the dataset; left out: the last part of the address, or query.jsonl"),
  sha256: z
    .string()
    .regex(/^[0-9a-fA-F]{64}$/, "expected 64 hexadecimal digits")
    .optional()
    .describe("What the file must have, else the import fails"),
  credential: z.string().max(60).optional().describe("Name of a credential of the project"),
});

export const importRequest = z
  .strictObject({
    files: z.array(importedFileRequest).min(1).max(limits.filesPerDataset).optional(),
    published: z
      .string()
      .max(80)
      .optional()
      .describe("In place of files: name of a published data set, whose graph is built at once"),
    replace: z
      .boolean()
      .default(false)
      .describe("true: a file of a name that is there already takes its place, as long as no graph was built"),
    adds: z
      .boolean()
      .optional()
      .describe(
        "true: the version keeps the files and the mapping of the newest graph, and adds these rows; a name that is taken is counted on, and read as that file is",
      ),
    spec: z.unknown().optional().describe("A DatasetSpec that the graph is built with at once"),
  })
  .meta({ id: "ImportRequest" });
export type ImportRequest = z.infer<typeof importRequest>;

export const importProposalRequest = z
  .strictObject({
    url: z.string().max(4000).describe("postgresql://host/database or mysql://host/database"),
    credential: z.string().max(60).describe("Name of a credential of the kind database"),
    project: z.string().optional().describe("Whose credential it is"),
    tables: z
      .array(z.string().min(1).max(200))
      .min(1)
      .max(limits.importTables)
      .optional()
      .describe("Names of tables, with or without their schemas; left out: all that the user may read"),
  })
  .meta({ id: "ImportProposalRequest" });
export type ImportProposalRequest = z.infer<typeof importProposalRequest>;

export const importProposalAnswer = z
  .object({
    url: z.string().describe("The database, as an import names it"),
    files: z.array(
      z.object({
        name: z.string().describe("What the file is called"),
        kind: z.enum(["nodes", "edges"]),
        table: z.string().describe("The table whose rows it has"),
        joins: z.array(z.string()).describe("The two tables that edges join; none for nodes"),
        query: z.string().describe("What the database is to be asked for it"),
        notes: z.array(z.string()).describe("What is not in it, and why"),
      }),
    ),
    leftOut: z
      .array(z.object({ name: z.string(), reason: z.string() }))
      .describe("Tables and foreign keys of which no file is proposed"),
    mostFiles: count.describe("How many of the files a dataset takes"),
  })
  .meta({ id: "ImportProposal" });
export type ImportProposalAnswer = z.infer<typeof importProposalAnswer>;

export const publishedDatasetAnswer = z
  .object({
    name: z.string().describe("What it is imported by"),
    title: z.string(),
    summary: z.string().describe("What its nodes, edges and labels are, and which split comes with it"),
    numNodes: count.describe("As its publisher counts them"),
    numEdges: count.describe("As its publisher counts them"),
    licence: z.string().nullable().describe("What its publisher says of its use; null: nothing at this address"),
    approximateBytes: z.number().nullable().describe("About how much is fetched; null: not known"),
    files: z
      .array(
        z.object({
          url: z.string(),
          name: z.string(),
          gitBlob: z
            .string()
            .nullable()
            .describe("Object id in its publisher's git repository, which it must have; null: not published in one"),
        }),
      )
      .describe("Where they are fetched from"),
    spec: z.record(z.string(), z.unknown()).describe("The DatasetSpec that maps them"),
  })
  .meta({ id: "PublishedDataset" });
export type PublishedDatasetAnswer = z.infer<typeof publishedDatasetAnswer>;

const tag = "imports";

export const importRoutes = {
  startImport: route({
    method: "POST",
    path: "/v1/datasets/:id/imports",
    tag,
    summary: "Has files fetched from addresses into the newest version, or into a new one when that is READY",
    params: idParams,
    body: importRequest,
    answers: { 202: importAnswer },
    problems: [
      "REQUEST_CONFLICT",
      "DATASET_FILE_NAME",
      "SPEC_INVALID",
      "IMPORT_ADDRESS",
      "IMPORT_NOT_FOUND",
      "IMPORT_SOURCE",
      "IMPORT_REFUSED",
      "IMPORT_QUERY",
      "CREDENTIAL_UNREADABLE",
    ],
  }),
  proposeImport: route({
    method: "POST",
    path: "/v1/import-proposals",
    tag,
    summary: "By which queries the tables and foreign keys of a database become files of a graph; nothing is imported",
    body: importProposalRequest,
    answers: { 200: importProposalAnswer },
    problems: [
      "REQUEST_NOT_FOUND",
      "IMPORT_ADDRESS",
      "IMPORT_NOT_FOUND",
      "IMPORT_SOURCE",
      "IMPORT_REFUSED",
      "IMPORT_QUERY",
      "CREDENTIAL_UNREADABLE",
    ],
  }),
  listPublishedDatasets: route({
    method: "GET",
    path: "/v1/published-datasets",
    tag,
    summary: "Data sets that others have published, which can be imported by their names",
    answers: { 200: listOf(publishedDatasetAnswer) },
  }),
  listImports: route({
    method: "GET",
    path: "/v1/datasets/:id/imports",
    tag,
    summary: "The newest imports of a dataset, the newest first",
    params: idParams,
    answers: { 200: listOf(importAnswer) },
  }),
  readImport: route({
    method: "GET",
    path: "/v1/imports/:id",
    tag,
    summary: "An import: how far it is, and what came of it",
    params: idParams,
    answers: { 200: importAnswer },
  }),
  cancelImport: route({
    method: "POST",
    path: "/v1/imports/:id/cancel",
    tag,
    summary: "Ends an import; nothing of it becomes part of the dataset",
    params: idParams,
    answers: { 200: importAnswer },
    problems: ["REQUEST_CONFLICT"],
  }),
  repeatImport: route({
    method: "POST",
    path: "/v1/imports/:id/again",
    tag,
    summary: "Fetches from the same addresses once more: after a success into a new version, which is read as the last",
    params: idParams,
    answers: { 202: importAnswer },
    problems: ["REQUEST_CONFLICT", "CREDENTIAL_UNREADABLE"],
  }),
};
