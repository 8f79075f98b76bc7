import { processUsage, stepBreakdown } from "@hopwise/gnn-core/spec";
import { z } from "zod";
import { problem } from "../errors/problem.ts";
import { jobState, stageState } from "../jobs/job-state.ts";
import { member } from "../jobs/member.ts";
import { isTerminal } from "../jobs/terminal-states.ts";

const count = z.number().int().nonnegative();

/** How a stage is getting on. */
export const stageSnapshot = z.object({
  stageIndex: count,
  kind: z.string(),
  state: stageState,
  cached: z.boolean(),
  phase: z.string().nullable(),
  completed: z.number().nullable(),
  total: z.number().nullable(),
  unit: z.string().nullable(),
  etaSeconds: z.number().nullable(),
  problem: problem.nullable(),
});
export type StageSnapshot = Readonly<z.infer<typeof stageSnapshot>>;

/** How a member is getting on. */
export const memberSnapshot = z.object({
  member,
  step: z.number().int(),
  device: z.string(),
  seedsPerSecond: z.number().nullable(),
  breakdown: stepBreakdown.nullable(),
  rssBytes: z.number(),
  /** Left out by workers that did not count it yet */
  usage: processUsage.nullish(),
  localRows: z.number(),
  remoteRows: z.number(),
  cachedRows: z.number(),
});
export type MemberSnapshot = Readonly<z.infer<typeof memberSnapshot>>;

/**
 * What happened to a job, by the event's type, which is also that of GraphQL. Stored as JSON, so every field is plain.
 */
export const jobEventBodies = {
  JobStateChanged: z.object({ state: jobState, problem: problem.nullable() }),
  StageProgressed: stageSnapshot,
  MetricsRecorded: z.object({
    axis: z.enum(["epoch", "step"]),
    step: z.number().int(),
    values: z.array(z.object({ name: z.string(), value: z.number().nullable() })),
  }),
  RankUpdated: memberSnapshot,
  LogAppended: z.object({
    level: z.enum(["debug", "info", "warn", "error"]),
    member,
    message: z.string(),
    fields: z.record(z.string(), z.unknown()).nullable(),
  }),
  IncidentRaised: z.object({
    code: z.string(),
    message: z.string(),
    /** null: of the whole stage, or of the job */
    member: member.nullable(),
    host: z.string().nullable(),
  }),
  ArtifactReady: z.object({
    artifactId: z.string(),
    kind: z.string(),
    digest: z.string(),
    bytes: z.number(),
    epoch: z.number().int().nullable(),
  }),
} as const;
export type JobEventType = keyof typeof jobEventBodies;
export type JobEventBodies = { readonly [T in JobEventType]: Readonly<z.infer<(typeof jobEventBodies)[T]>> };

function contentOf<T extends JobEventType>(type: T) {
  return z.object({ type: z.literal(type), body: jobEventBodies[type] });
}

const contents = [
  contentOf("JobStateChanged"),
  contentOf("StageProgressed"),
  contentOf("MetricsRecorded"),
  contentOf("RankUpdated"),
  contentOf("LogAppended"),
  contentOf("IncidentRaised"),
  contentOf("ArtifactReady"),
] as const;

/** A type of event with its body. */
export const jobEventContent = z.discriminatedUnion("type", contents);
export type JobEventContent = {
  [T in JobEventType]: { readonly type: T; readonly body: JobEventBodies[T] };
}[JobEventType];

/** The last event of a job: nothing follows it. */
export function endsJob(event: JobEventContent): boolean {
  return event.type === "JobStateChanged" && isTerminal(event.body.state);
}
