import { z } from "zod";
import { artifactRef } from "../artifact-ref.ts";
import { stageSlice } from "./stage-slice.ts";

/** One stage of one attempt of a job, as it lies in a host's queue. */
export const stageTask = z.object({
  contract: z.number().int(),
  projectId: z.string(),
  jobId: z.string(),
  attempt: z.number().int().positive(),
  /** Position of the stage in the job. */
  stageIndex: z.number().int().nonnegative(),
  /** Name of the step component, e.g. `train`. */
  step: z.string(),
  options: z.unknown(),
  inputs: z.record(z.string(), artifactRef),
  resume: artifactRef.nullable(),
  /** The artifact this stage must make: id chosen by the scheduler, key prefix fresh per attempt. */
  output: z.object({ id: z.string(), kind: z.string(), prefix: z.string(), reuseKey: z.string() }),
  /** Ranks of the whole stage, on all hosts */
  ranks: z.number().int().positive(),
  /** Sampler processes of the whole stage, on all hosts */
  samplers: z.number().int().nonnegative(),
  /** Hosts with ranks, the first ones; the others run sampler processes alone. */
  rankHosts: z.number().int().positive(),
  slice: stageSlice,
  /**
   * Where the members of all slices find each other in Redis; unguessable, as who knows it reads the secrets that they
   * exchange there.
   */
  rendezvous: z.string().min(1),
  /** What the ranks compute on; a step of one rank loads no backend, and has `cpu`. */
  device: z.enum(["cpu", "cuda"]),
  threadsPerRank: z.number().int().positive(),
  maxDurationMs: z.number().int().positive(),
  /**
   * Lets this slice, and no other, use its own blobs of the API's store (`/v1/store`); needed where no folder is
   * shared.
   */
  grant: z.string().optional(),
  requestId: z.string().optional(),
});
export type StageTask = z.infer<typeof stageTask>;
