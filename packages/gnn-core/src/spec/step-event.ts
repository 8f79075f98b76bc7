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
