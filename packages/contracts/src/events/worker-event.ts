import { z } from "zod";
import { problem } from "../errors/problem.ts";
import { member } from "../jobs/member.ts";
import { limits } from "../limits.ts";
import { stageEvent } from "./stage-event.ts";

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

/** Epochs whose metrics one event may tell. */
export const maxPointsPerEvent = 512;

/** What a worker tells the API about a stage. */
export const workerEventBody = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("stageStarted"),
    workerId: z.string(),
    host: z.string(),
    /** In the order of the slice's members; which these are, the API knows from its grant. */
    pids: z.array(z.number().int()).max(2 * limits.ranks),
  }),
  z.object({ type: z.literal("step"), event: stageEvent }),
  /** What a step's `metrics` events said since the last of these, oldest first: every point, in few events. */
  z.object({
    type: z.literal("metrics"),
    axis: z.enum(["epoch", "step"]),
    points: z
      .array(
        z.object({
          at: z.iso.datetime(),
          step: z.number().int(),
          values: z.record(z.string(), z.number().nullable()),
        }),
      )
      .min(1)
      .max(maxPointsPerEvent),
  }),
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
    /** null: of the whole slice */
    member: member.nullable(),
    host: z.string(),
  }),
  z.object({ type: z.literal("stageSucceeded"), artifact: made }),
  /** The members of a slice other than the first have done their work; the first one tells the result. */
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

/** What ends a slice's story: no event follows it. */
const endings: ReadonlySet<string> = new Set<WorkerEventBody["type"]>([
  "stageSucceeded",
  "sliceFinished",
  "stageFailed",
  "stageCancelled",
]);

/** Whether an event with a body of this type is the last of its slice. */
export function endsSlice(type: string): boolean {
  return endings.has(type);
}

/** Far more events than any stage has, and what a database's integer holds. */
export const maxSeq = 2 ** 31 - 1;

/**
 * One entry of a slice's stream. (jobId, attempt, stageIndex, slice, seq) is unique and seq counts 1, 2, 3 … without
 * gaps per (jobId, attempt, stageIndex, slice): the API persists in that order and asks again for what is missing. Only
 * the end of a stage that was told to stop may come without all before it.
 */
export const workerEvent = z.object({
  contract: z.number().int(),
  jobId: z.string(),
  attempt: z.number().int(),
  stageIndex: z.number().int(),
  slice: z.number().int().nonnegative(),
  seq: z.number().int().positive().max(maxSeq),
  at: z.iso.datetime(),
  body: workerEventBody,
});
export type WorkerEvent = z.infer<typeof workerEvent>;
