import { z } from "zod";
import { problem } from "../errors/problem.ts";
import { importState } from "./imports.ts";
import { route } from "./route.ts";
import { count, idParams, isoTime, listOf } from "./shapes.ts";

export const writeBackOutputs = ["embeddings", "predictions", "pairs"] as const;
export const writeBackModes = ["create", "replace", "upsert"] as const;
export const vectorColumns = ["auto", "vector", "array", "columns"] as const;

const output = z
  .enum(writeBackOutputs)
  .describe("What is written; pairs: the held-out pairs of a task on links, with their scores");
const mode = z
  .enum(writeBackModes)
  .describe(
    "create: refuses a table that is there; replace: takes the place of all of its rows, in one transaction; " +
      "upsert: rows whose key is there are changed, the others added",
  );
const vector = z
  .enum(vectorColumns)
  .describe(
    "vector: pgvector's vector(n); array: real[]; columns: a real for each number, embedding_0, embedding_1 …; " +
      "auto: as the table has it, else vector where the database has pgvector, else array",
  );
/** PostgreSQL cuts longer names off; what else stands in one is quoted. */
const identifier = z.string().min(1).max(63);

export const writeBackRequest = z
  .strictObject({
    url: z.string().max(4000).describe("postgresql://host/database; ?sslmode=disable in networks of the operator"),
    credential: z.string().max(60).describe("Name of a credential of the kind databaseWrite"),
    schema: identifier.default("public"),
    table: identifier,
    output: output.default("embeddings"),
    nodeType: z
      .string()
      .max(200)
      .optional()
      .describe("Nodes of this type alone, under the ids that they have in their files; left out: all"),
    columns: z
      .record(z.string().max(200), identifier)
      .default({})
      .describe('Other names of columns, such as {"id": "paper", "embedding": "vec"}'),
    vector: vector.default("auto"),
    mode: mode.default("create"),
  })
  .meta({ id: "WriteBackRequest" });
export type WriteBackRequest = z.infer<typeof writeBackRequest>;

export const writeBackAnswer = z
  .object({
    id: z.string(),
    jobId: z.string(),
    state: importState.describe("SUCCEEDED: the transaction that wrote all rows has been committed"),
    url: z.string(),
    credential: z.string().describe("Name of the credential"),
    schema: z.string(),
    table: z.string(),
    output,
    nodeType: z.string().nullable(),
    columns: z.record(z.string(), z.string()),
    vector,
    mode,
    rowsDone: count.describe("Rows that the database has been sent, in a transaction that nobody sees yet"),
    rowsTotal: count.nullable().describe("Null as long as it is not known"),
    etaSeconds: z.number().nullable(),
    waitReason: z.string().nullable().describe("Why no row goes out now"),
    exportJobId: z.string().nullable().describe("The job that makes the rows before they are sent; null: there were"),
    problem: problem.nullable(),
    createdBy: z.string(),
    createdAt: isoTime,
    startedAt: isoTime.nullable(),
    finishedAt: isoTime.nullable(),
  })
  .meta({ id: "WriteBack" });
export type WriteBackAnswer = z.infer<typeof writeBackAnswer>;

const tag = "write-backs";

export const writeBackRoutes = {
  startWriteBack: route({
    method: "POST",
    path: "/v1/jobs/:id/write-backs",
    tag,
    summary: "Has a job's embeddings or predictions written into a table of PostgreSQL, all rows or none",
    params: idParams,
    body: writeBackRequest,
    answers: { 202: writeBackAnswer },
    problems: [
      "REQUEST_CONFLICT",
      "JOB_WITHOUT_RESULTS",
      "WRITE_BACK_ADDRESS",
      "WRITE_BACK_REFUSED",
      "WRITE_BACK_TABLE",
      "CREDENTIAL_UNREADABLE",
    ],
  }),
  listWriteBacks: route({
    method: "GET",
    path: "/v1/jobs/:id/write-backs",
    tag,
    summary: "The newest write-backs of a job's results, the newest first",
    params: idParams,
    answers: { 200: listOf(writeBackAnswer) },
  }),
  readWriteBack: route({
    method: "GET",
    path: "/v1/write-backs/:id",
    tag,
    summary: "A write-back: how far it is, and what came of it",
    params: idParams,
    answers: { 200: writeBackAnswer },
  }),
  cancelWriteBack: route({
    method: "POST",
    path: "/v1/write-backs/:id/cancel",
    tag,
    summary: "Ends a write-back; the database is as it was before",
    params: idParams,
    answers: { 200: writeBackAnswer },
    problems: ["REQUEST_CONFLICT"],
  }),
};
