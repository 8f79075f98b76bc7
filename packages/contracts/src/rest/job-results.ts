import { partitionReport } from "@hopwise/gnn-core/spec";
import { z } from "zod";
import { jobState } from "../jobs/job-state.ts";
import { limits } from "../limits.ts";
import { artifactAnswer, fileAnswers, fileHeaders } from "./artifacts.ts";
import { route } from "./route.ts";
import { count, idParams, isoTime, listOf } from "./shapes.ts";
import { shownMember } from "./shown-member.ts";

/** Parallel arrays: values[i] was measured at steps[i] of its axis, at times[i]. */
export const seriesAnswer = z
  .object({
    name: z.string(),
    axis: z.string().describe("epoch or step"),
    steps: z.array(count),
    values: z.array(z.number().nullable()),
    times: z.array(count).describe("Milliseconds since 1970"),
  })
  .meta({ id: "Series" });
export type SeriesAnswer = z.infer<typeof seriesAnswer>;

export const logLevel = z.enum(["debug", "info", "warn", "error"]);
export type LogLevel = z.infer<typeof logLevel>;

export const logLineAnswer = z
  .object({
    cursor: z.string(),
    at: isoTime,
    level: logLevel,
    attempt: count,
    stageIndex: count.nullable(),
    ...shownMember,
    message: z.string(),
    fields: z.record(z.string(), z.unknown()).nullable(),
  })
  .meta({ id: "LogLine" });
export type LogLineAnswer = z.infer<typeof logLineAnswer>;

export const logPageAnswer = z
  .object({
    lines: z.array(logLineAnswer),
    hasNextPage: z.boolean().describe("Whether lines follow, in a page read from the oldest line on"),
    hasPreviousPage: z.boolean().describe("Whether lines precede, in a page of the `last` lines"),
    startCursor: z.string().nullable(),
    endCursor: z.string().nullable(),
  })
  .meta({ id: "LogPage" });
export type LogPageAnswer = z.infer<typeof logPageAnswer>;

const haloRatio = z.number();

/** How a job's graph was cut, and what the cut costs this job. */
export const partitionAnswer = partitionReport
  .extend({
    parts: z.array(
      partitionReport.shape.parts.element.extend({ haloRatio: haloRatio.describe("Halo nodes per node of the part") }),
    ),
    haloRatio: haloRatio.describe("Halo nodes of all parts per node"),
    remoteReadsPerStep: z
      .number()
      .nullable()
      .describe("Rows of other parts that one rank is expected to read per training step; null: it cannot be told"),
  })
  .meta({ id: "PartitionReport" });
export type PartitionAnswer = z.infer<typeof partitionAnswer>;

const seriesPoints = z.coerce.number().int().min(2).max(10_000).default(1000);
/** As many of the series that one asks for by name. */
const mostNames = 200;

export const seriesQuery = z.object({
  names: z
    .string()
    .refine((text) => text.split(",").length <= mostNames, `expected ${mostNames} names at most`)
    .optional()
    .describe("Comma-separated, 200 at most; left out: all"),
  maxPoints: seriesPoints,
});

/** What GraphQL takes in their place: its names are a list. */
export const seriesArguments = z.object({
  names: z.array(z.string()).max(mostNames).optional(),
  maxPoints: seriesPoints,
});

export const usageQuery = z.object({
  maxPoints: z.coerce.number().int().min(2).max(1000).default(200).describe("Points of each process, at most"),
});

export const logsQuery = z.object({
  after: z.string().max(20).optional().describe("endCursor of the page before"),
  before: z.string().max(20).optional().describe("startCursor of the page after, to go back with `last`"),
  first: z.coerce.number().int().min(1).max(200).optional(),
  last: z.coerce.number().int().min(1).max(200).optional().describe("The newest lines in place of the oldest"),
  level: logLevel.optional(),
  rank: z.coerce
    .number()
    .int()
    .min(0)
    .max(limits.ranks)
    .optional()
    .describe("Lines of this rank; of no sampler process"),
  member: z.string().max(20).optional().describe("Lines of the member of this name: `0`, `sampler 0`"),
  search: z.string().max(200).optional(),
});

/** The formats that a job's results are exported in. */
export const exportFormats = {
  embeddings: ["parquet", "npy", "csv", "arrow", "jsonl", "neo4j", "pgcopy"],
  predictions: ["parquet", "csv", "arrow", "jsonl", "neo4j", "pgcopy"],
} as const;
/** The formats of embeddings in which the columns of ids and of vectors have names to choose. */
export const namedColumnFormats: readonly string[] = ["parquet", "arrow", "jsonl", "neo4j"];
export const columnNamePattern = /^[A-Za-z_][\w.-]{0,62}$/;
const columnName = z.string().regex(columnNamePattern).optional();
export type ExportKind = keyof typeof exportFormats;

export const requestedExport = z
  .object({
    ready: z.boolean(),
    url: z.string().describe("Where the file is or will be"),
    job: z.string().nullable().describe("The job that makes it; null: it is there"),
    state: jobState.nullable().describe("State of that job"),
  })
  .meta({ id: "RequestedExport" });
export type RequestedExportAnswer = z.infer<typeof requestedExport>;

/** Nodes that one node is likeliest linked with and is not yet. */
export const newNeighborsAnswer = z
  .object({
    node: z.string(),
    neighbors: z
      .array(
        z
          .object({
            id: z.string().describe("Your id of the node"),
            score: z.number().describe("The higher, the likelier a link; comparable within one job"),
            type: z.string().nullable().describe("Type of the node; null: nodes of the graph are all alike"),
            relations: z.array(z.string()).describe("Relations that lead from nodes of the one type to the other's"),
          })
          .meta({ id: "NewNeighbor" }),
      )
      .describe("Best first"),
    relations: z.array(z.string()).describe("Relations of all new neighbours found, by which they can be asked for"),
  })
  .meta({ id: "NewNeighbors" });
export type NewNeighborsAnswer = z.infer<typeof newNeighborsAnswer>;

const linksOfSide = z.object({ val: count, test: count }).meta({ id: "HeldOutLinks" });

/** How well a job tells the held-out links of a relation from pairs without a link. */
export const relationFiguresAnswer = z
  .object({
    relations: z
      .array(z.string())
      .describe("Several where they join the same pairs of nodes, such as a relation and its reverse"),
    numLinks: linksOfSide.describe("Held-out links of the relations"),
    metrics: z
      .record(z.string(), z.number().nullable())
      .describe("By split and name, as `test/mrr`: of these links among the pairs that were drawn for them"),
  })
  .meta({ id: "RelationFigures" });
export type RelationFiguresAnswer = z.infer<typeof relationFiguresAnswer>;

const tag = "jobs";

/** Names are chosen for embeddings alone: the columns of predictions are many, and called after what they hold. */
const columnNames = {
  id: columnName.describe("What the column of ids is called, `id` if left out; in parquet, arrow, jsonl and neo4j"),
  vector: columnName.describe(
    "What the column of vectors is called, such as `vector` or `values`; left out: `embedding`",
  ),
};

const formatOf = <K extends ExportKind>(kind: K) => z.enum(exportFormats[kind]).default("parquet");

/** The routes of one kind of results. */
function exportRoutes<K extends ExportKind, Q extends z.ZodObject>(kind: K, query: Q) {
  return {
    read: route({
      method: "GET",
      path: `/v1/jobs/:id/${kind}`,
      tag: "downloads",
      summary: `The job's ${kind} in a format that was made`,
      params: idParams,
      query,
      headers: fileHeaders,
      answers: fileAnswers,
      problems: [
        "REQUEST_CONFLICT",
        "REQUEST_RANGE",
        "JOB_WITHOUT_RESULTS",
        "EXPORT_NOT_MADE",
        "ARTIFACT_MISSING",
        "ARTIFACT_DAMAGED",
      ],
    }),
    request: route({
      method: "POST",
      path: `/v1/jobs/:id/${kind}`,
      tag: "downloads",
      summary: `Has the job's ${kind} made in one more format; needs the role editor`,
      params: idParams,
      query,
      answers: { 200: requestedExport, 202: requestedExport },
      problems: ["REQUEST_CONFLICT", "JOB_WITHOUT_RESULTS", "PROJECT_QUEUE_FULL", "PROJECT_HOURS_USED"],
    }),
  };
}

const embeddings = exportRoutes("embeddings", z.object({ format: formatOf("embeddings"), ...columnNames }));
const predictions = exportRoutes("predictions", z.object({ format: formatOf("predictions") }));

export const jobResultRoutes = {
  readSeries: route({
    method: "GET",
    path: "/v1/jobs/:id/series",
    tag,
    summary: "What the job has measured, by name",
    params: idParams,
    query: seriesQuery,
    answers: { 200: z.array(seriesAnswer) },
  }),
  readUsage: route({
    method: "GET",
    path: "/v1/jobs/:id/usage",
    tag,
    summary: "What each process of the newest attempt used over time: cores, memory, storage, network, seeds",
    params: idParams,
    query: usageQuery,
    answers: { 200: z.array(seriesAnswer) },
  }),
  readLogs: route({
    method: "GET",
    path: "/v1/jobs/:id/logs",
    tag,
    summary: "The job's log, a page at a time",
    params: idParams,
    query: logsQuery,
    answers: { 200: logPageAnswer },
  }),
  readPartition: route({
    method: "GET",
    path: "/v1/jobs/:id/partition",
    tag,
    summary: "How the job's graph was cut, and what the cut costs",
    params: idParams,
    answers: { 200: partitionAnswer },
  }),
  listArtifacts: route({
    method: "GET",
    path: "/v1/jobs/:id/artifacts",
    tag,
    summary: "What the job's stages made or, when cached, found",
    params: idParams,
    answers: { 200: listOf(artifactAnswer) },
  }),
  readNewNeighbors: route({
    method: "GET",
    path: "/v1/jobs/:id/new-neighbors",
    tag,
    summary: "The nodes that one node is likeliest linked with and is not yet, of a job that learns links",
    params: idParams,
    query: z.object({
      node: z.string().min(1).max(1000).describe("Your id of the node"),
      relation: z.string().min(1).max(1000).optional().describe("Only neighbours that this relation can lead to"),
    }),
    answers: { 200: newNeighborsAnswer },
    problems: ["JOB_WITHOUT_RESULTS", "ARTIFACT_MISSING", "ARTIFACT_DAMAGED"],
  }),
  readRelationFigures: route({
    method: "GET",
    path: "/v1/jobs/:id/relation-figures",
    tag,
    summary: "How well the job tells the held-out links of each relation, those with the most of them first",
    params: idParams,
    answers: { 200: z.array(relationFiguresAnswer).describe("Empty where edges have no types; 500 at most") },
    problems: ["JOB_WITHOUT_RESULTS"],
  }),
  readEmbeddings: embeddings.read,
  requestEmbeddings: embeddings.request,
  readPredictions: predictions.read,
  requestPredictions: predictions.request,
};
