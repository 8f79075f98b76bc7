import { z } from "zod";
import { workerAnnouncement } from "../workers/announcement.ts";
import { workerLogLine } from "../workers/worker-log.ts";
import { seriesAnswer } from "./job-results.ts";
import { route } from "./route.ts";
import { idParams, isoTime, listOf } from "./shapes.ts";

const { devices, running, labels, rankAddress } = workerAnnouncement.shape;
const amount = z.number().catch(0);

/**
 * What a worker says of itself and others may read. A worker of another contract version may say all this differently:
 * then it has nothing that could be used here.
 */
export const workerCapacity = z.object({
  devices: devices.catch([]),
  slots: z.int().nonnegative().catch(0).describe("Ranks it can run at once"),
  cores: amount,
  memoryBytes: amount,
  diskFreeBytes: amount,
  isa: z.string().catch(""),
  labels: labels.catch({}),
  rankAddress: rankAddress
    .catch(null)
    .describe("Where ranks of other hosts reach its ranks; null: no job shares it with another worker"),
  running: running.catch([]).describe("To a key of one project: stages of that project's jobs alone"),
});
export type WorkerCapacity = z.infer<typeof workerCapacity>;

export const workerState = z.enum(["ONLINE", "DRAINING", "OFFLINE"]);

export const workerAnswer = z
  .object({
    id: z.string(),
    host: z.string(),
    version: z.string(),
    build: z.string(),
    compatible: z.boolean(),
    reason: z.string().nullable().describe("Why it gets no work"),
    state: workerState.describe("DRAINING: it finishes what it runs and takes nothing new"),
    drained: z.boolean().describe("An admin has it take no new work"),
    firstSeen: isoTime,
    lastSeen: isoTime,
    ...workerCapacity.shape,
  })
  .meta({ id: "Worker" });
export type WorkerAnswer = z.infer<typeof workerAnswer>;

/** How far a worker's history goes back, in hours. */
export const mostHistoryHours = 168;

export const workerHistoryAnswer = z
  .object({
    series: z
      .array(seriesAnswer)
      .describe(
        "Over time: held/slots and offered/slots; host/cores (busy, by whatever program), host/memoryBytes (used), " +
          "free/diskBytes; and of each GPU, under its index and name, utilization (0 to 1), deviceMemoryBytes and watts",
      ),
    boots: z
      .array(
        z.object({ bootId: z.string(), version: z.string(), from: isoTime, to: isoTime }).meta({ id: "WorkerBoot" }),
      )
      .describe("Lives of its process, the oldest first"),
  })
  .meta({ id: "WorkerHistory" });
export type WorkerHistoryAnswer = z.infer<typeof workerHistoryAnswer>;

export const workerHistoryQuery = z.object({
  hours: z.coerce.number().min(0.1).max(mostHistoryHours).default(24),
  maxPoints: z.coerce.number().int().min(2).max(2000).default(300),
});

export const workerLogQuery = z.object({
  after: z.coerce
    .number()
    .int()
    .nonnegative()
    .max(Number.MAX_SAFE_INTEGER)
    .optional()
    .describe("Cursor of a line: those behind it alone"),
  level: workerLogLine.shape.level.optional().describe("This level and those above it"),
  search: z.string().max(200).optional().describe("Text of the message or its fields, in any case"),
});
export type WorkerLogQuery = z.infer<typeof workerLogQuery>;

export const workerLogAnswer = z.object({ lines: z.array(workerLogLine) }).meta({ id: "WorkerLog" });
export type WorkerLogAnswer = z.infer<typeof workerLogAnswer>;

export const workerCredentialAnswer = z
  .object({
    workerId: z.string(),
    user: z
      .string()
      .describe("Its user of Redis, which may use its own queue, announcement and leases, and what all workers share"),
    createdAt: isoTime,
  })
  .meta({ id: "WorkerCredential" });
export type WorkerCredentialAnswer = z.infer<typeof workerCredentialAnswer>;

export const workerAccessAnswer = z
  .object({
    possible: z.boolean().describe("Whether a worker on another host could reach this service's Redis"),
    reason: z.string().nullable().describe("Why it could not, and what to do"),
    warning: z.string().nullable().describe("What to set right before one is let in; null: nothing"),
  })
  .meta({ id: "WorkerAccess" });
export type WorkerAccessAnswer = z.infer<typeof workerAccessAnswer>;

export const newWorkerCredential = z.strictObject({
  workerId: z.string().max(200).describe("1 to 64 of A-Z a-z 0-9 . _ -; one that has a credential gets a new password"),
});

const tag = "workers";

export const workerRoutes = {
  listWorkers: route({
    method: "GET",
    path: "/v1/workers",
    tag,
    summary: "The workers that have announced themselves",
    answers: { 200: listOf(workerAnswer) },
  }),
  readWorkerHistory: route({
    method: "GET",
    path: "/v1/workers/:id/history",
    tag,
    summary: "What a worker has done in the last hours, minute by minute, whatever jobs it had",
    params: idParams,
    query: workerHistoryQuery,
    answers: { 200: workerHistoryAnswer },
  }),
  readWorkerLog: route({
    method: "GET",
    path: "/v1/workers/:id/log",
    tag,
    summary: "The newest lines of a worker's own log, the oldest of them first; none is older than seven days",
    params: idParams,
    query: workerLogQuery,
    answers: { 200: workerLogAnswer },
  }),
  drainWorker: route({
    method: "PUT",
    path: "/v1/workers/:id/drain",
    tag,
    summary: "Has a worker take no new work, or take it again; the stages that it runs go on",
    params: idParams,
    body: z.strictObject({ drained: z.boolean() }),
    answers: { 200: workerAnswer },
  }),
  readWorkerAccess: route({
    method: "GET",
    path: "/v1/worker-access",
    tag,
    summary: "Whether workers on other hosts can join, and why not",
    answers: { 200: workerAccessAnswer },
  }),
  listWorkerCredentials: route({
    method: "GET",
    path: "/v1/worker-credentials",
    tag,
    summary: "The workers that have a user of Redis of their own",
    answers: { 200: listOf(workerCredentialAnswer) },
  }),
  createWorkerCredential: route({
    method: "POST",
    path: "/v1/worker-credentials",
    tag,
    summary: "Gives a worker a user of Redis with a new password, shown this once",
    body: newWorkerCredential,
    answers: {
      201: workerCredentialAnswer
        .extend({
          password: z.string(),
          warning: z
            .string()
            .nullable()
            .describe("Why the credential is of no use, or keeps nobody out, as Redis is set up now"),
        })
        .meta({ id: "NewWorkerCredential" }),
    },
    problems: ["REDIS_REFUSED"],
  }),
  revokeWorkerCredential: route({
    method: "DELETE",
    path: "/v1/worker-credentials/:id",
    tag,
    summary: "Puts the worker out of Redis at once",
    params: idParams,
    answers: { 204: { description: "It is revoked" } },
    problems: ["REDIS_REFUSED"],
  }),
};
