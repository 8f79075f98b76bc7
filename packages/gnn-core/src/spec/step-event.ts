import { z } from "zod";

/** Seconds spent in each part of a training step, summed since the last report. Milliseconds per step. */
export const stepBreakdown = z.object({
  sample: z.number(),
  gather: z.number(),
  forward: z.number(),
  backward: z.number(),
  allReduce: z.number(),
  optimizer: z.number(),
  wait: z.number(),
});
export type StepBreakdown = z.infer<typeof stepBreakdown>;

const bytes = z.number().nonnegative().max(Number.MAX_SAFE_INTEGER).nullable();

/** What a process has used since it began; null: its system does not count it. */
export const processUsage = z.object({
  cpuSeconds: z.number().nonnegative().describe("CPU seconds of all its threads"),
  readBytes: bytes.describe("From storage"),
  writtenBytes: bytes.describe("To storage"),
  networkBytes: bytes.describe("That the interfaces of its host carried, loopback left out"),
});
export type ProcessUsage = z.infer<typeof processUsage>;

/** What a step reports while it runs. Plain JSON: it crosses process and network borders unchanged. */
export const stepEvent = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("progress"),
    phase: z.string().max(80),
    completed: z.number(),
    total: z.number().nullable(),
    unit: z.string().max(40),
  }),
  /** One point per name, at `step` on the x axis (`axis` says of what: epoch or step). */
  z.object({
    type: z.literal("metrics"),
    axis: z.enum(["epoch", "step"]),
    step: z.number().int(),
    values: z.record(z.string(), z.number().nullable()),
  }),
  z.object({
    type: z.literal("rank"),
    rank: z.number().int(),
    step: z.number().int(),
    device: z.string(),
    seedsPerSecond: z.number().nullable(),
    breakdown: stepBreakdown.nullable(),
    rssBytes: z.number(),
    usage: processUsage.nullish(),
    localRows: z.number(),
    remoteRows: z.number(),
    cachedRows: z.number(),
  }),
  z.object({
    type: z.literal("log"),
    level: z.enum(["debug", "info", "warn", "error"]),
    rank: z.number().int(),
    message: z.string().max(4000),
    fields: z.record(z.string(), z.unknown()).optional(),
  }),
  /** Only rank 0: `dir` is a complete local folder that the worker stores, then removes. */
  z.object({
    type: z.literal("checkpoint"),
    dir: z.string(),
    epoch: z.number().int(),
    step: z.number().int(),
    metrics: z.record(z.string(), z.number().nullable()),
    info: z.record(z.string(), z.unknown()),
  }),
]);
export type StepEvent = z.infer<typeof stepEvent>;
