import { stepEvent } from "@hopwise/gnn-core/spec";
import { z } from "zod";
import { problem } from "../errors/problem.ts";

const made = z.object({
  id: z.string(),
  kind: z.string(),
  prefix: z.string(),
  reuseKey: z.string().nullable(),
  digest: z.string(),
  bytes: z.number(),
  info: z.record(z.string(), z.unknown()),
  blobs: z.array(
    z.object({
      name: z.string(),
      bytes: z.number(),
      sha256: z.string(),
      dtype: z.string().optional(),
      shape: z.array(z.number()).optional(),
    }),
  ),
});
/** An artifact whose manifest is in the store. */
export type MadeArtifact = z.infer<typeof made>;

/** What a worker tells the API about a stage. */
export const workerEventBody = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("stageStarted"),
    workerId: z.string(),
    host: z.string(),
    /** The first and the number of the ranks on this host. */
    firstRank: z.number().int().nonnegative(),
    ranks: z.number().int(),
    pids: z.array(z.number().int()),
  }),
  z.object({ type: z.literal("step"), event: stepEvent }),
  z.object({
    type: z.literal("checkpointSaved"),
    artifact: made,
    epoch: z.number().int(),
    step: z.number().int(),
    metrics: z.record(z.string(), z.number().nullable()),
  }),
  z.object({
    type: z.literal("incident"),
    code: z.string(),
    message: z.string(),
    rank: z.number().int().nullable(),
    host: z.string(),
  }),
  z.object({ type: z.literal("stageSucceeded"), artifact: made }),
  /** The ranks of a slice other than the first have done their work; the first one tells the result. */
  z.object({ type: z.literal("sliceFinished") }),
  z.object({
    type: z.literal("stageFailed"),
    problem,
    /** It looks like what another slice's failure makes of this one: that one's word, or its silence, says more. */
    isConsequence: z.boolean().optional(),
  }),
  z.object({ type: z.literal("stageCancelled") }),
]);
export type WorkerEventBody = z.infer<typeof workerEventBody>;

/**
 * One entry of the event stream. (jobId, attempt, stageIndex, slice, seq) is unique and seq counts 1, 2, 3 … without
 * gaps per (jobId, attempt, stageIndex, slice): the API persists in that order, ignores what it has, and asks again for what is missing.
 */
export const workerEvent = z.object({
  contract: z.number().int(),
  jobId: z.string(),
  attempt: z.number().int(),
  stageIndex: z.number().int(),
  slice: z.number().int().nonnegative(),
  seq: z.number().int().positive(),
  at: z.iso.datetime(),
  body: workerEventBody,
});
export type WorkerEvent = z.infer<typeof workerEvent>;
