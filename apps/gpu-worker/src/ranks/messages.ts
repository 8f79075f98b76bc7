import { member, problem, stageEvent } from "@hopwise/contracts";
import { manifest, stepEvent } from "@hopwise/gnn-core/spec";
import { z } from "zod";
import { readingLimits } from "../reading-limits.ts";

const portRange = z.object({ first: z.number().int(), last: z.number().int() });

const artifactDir = z.object({ dir: z.string(), manifest });

/** Everything a member needs to run one step; sent once its inputs are on local disk. */
export const startMessage = z.object({
  type: z.literal("start"),
  step: z.string(),
  options: z.unknown(),
  inputs: z.record(z.string(), artifactDir),
  resume: artifactDir.nullable(),
  outDir: z.string(),
  scratchDir: z.string(),
  member,
  /** Among the members of this host: ranks first, so that it is a rank's place among the ranks of this host. */
  localRank: z.number().int().nonnegative(),
  /** Ranks of the step, on all hosts */
  worldSize: z.number().int().positive(),
  samplers: z.number().int().nonnegative(),
  /** Hosts that share the ranks; their files differ. */
  numHosts: z.number().int().positive(),
  /**
   * Where ranks of other hosts reach this host's, and the ports they may listen on; null: all ranks are on this host.
   */
  network: z.object({ address: z.string(), ports: portRange.nullable() }).nullable(),
  device: z.enum(["cpu", "cuda"]),
  threads: z.number().int().positive(),
  limits: readingLimits,
  /** Names the group: ranks of another group or attempt never meet. */
  group: z.string(),
});
export type StartMessage = z.infer<typeof startMessage>;

/** A step's checkpoint is for the worker alone: it stores the folder. */
const [, , , , checkpoint] = stepEvent.options;
const memberEvent = z.discriminatedUnion("type", [...stageEvent.options, checkpoint]);
/** What a member tells its worker. */
export type MemberEvent = z.infer<typeof memberEvent>;

const bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array);

/** Launcher → rank. */
export const toRank = z.discriminatedUnion("type", [
  startMessage,
  /** Asks for `tried`: to load the backend and compute something small. The process then waits for its end. */
  z.object({ type: z.literal("try") }),
  z.object({ type: z.literal("abort") }),
  /** A training ends where it is, with what it came to; other steps go on. */
  z.object({ type: z.literal("endTraining") }),
  z.object({ type: z.literal("stored"), id: z.number().int(), value: bytes.nullable() }),
]);
export type ToRank = z.infer<typeof toRank>;

/** Rank → launcher. */
export const fromRank = z.discriminatedUnion("type", [
  z.object({ type: z.literal("event"), event: memberEvent }),
  /** `manifest`, of rank 0: what the step wrote. A rank that is free waits for another start; else it ends. */
  z.object({ type: z.literal("result"), manifest: manifest.nullable(), isFree: z.boolean() }),
  /** `trace` is for the worker's log only. */
  z.object({ type: z.literal("failed"), problem, trace: z.string() }),
  z.object({ type: z.literal("tried"), device: z.enum(["cpu", "cuda"]) }),
  z.object({ type: z.literal("store"), id: z.number().int(), key: z.string(), value: bytes }),
  /** Answered with `stored` once the key is there. */
  z.object({ type: z.literal("lookUp"), id: z.number().int(), key: z.string() }),
]);
export type FromRank = z.infer<typeof fromRank>;
