import type { Problem } from "@hopwise/contracts";
import type { StepBreakdown } from "@hopwise/gnn-core/spec";
import type { JobState, StageState } from "../generated/prisma/client.ts";

export interface StageSnapshot {
  readonly stageIndex: number;
  readonly kind: string;
  readonly state: StageState;
  readonly cached: boolean;
  readonly phase: string | null;
  readonly completed: number | null;
  readonly total: number | null;
  readonly unit: string | null;
  readonly etaSeconds: number | null;
  readonly problem: Problem | null;
}

export interface RankSnapshot {
  readonly rank: number;
  readonly step: number;
  readonly device: string;
  readonly seedsPerSecond: number | null;
  readonly breakdown: StepBreakdown | null;
  readonly rssBytes: number;
  readonly localRows: number;
  readonly remoteRows: number;
  readonly cachedRows: number;
}

/** What happened, by GraphQL type name. Stored as JSON, so every field is plain. */
export interface JobEventBodies {
  JobStateChanged: { readonly state: JobState; readonly problem: Problem | null };
  StageProgressed: StageSnapshot;
  MetricsRecorded: {
    readonly axis: "epoch" | "step";
    readonly step: number;
    readonly values: readonly { readonly name: string; readonly value: number | null }[];
  };
  RankUpdated: RankSnapshot;
  LogAppended: {
    readonly level: "debug" | "info" | "warn" | "error";
    readonly rank: number;
    readonly message: string;
    readonly fields: Readonly<Record<string, unknown>> | null;
  };
  IncidentRaised: {
    readonly code: string;
    readonly message: string;
    readonly rank: number | null;
    readonly host: string | null;
  };
  ArtifactReady: {
    readonly artifactId: string;
    readonly kind: string;
    readonly digest: string;
    readonly bytes: number;
    readonly epoch: number | null;
  };
}
export type JobEventType = keyof JobEventBodies;

/** A type of event with its body. */
export type JobEventContent = {
  [T in JobEventType]: { readonly type: T; readonly body: JobEventBodies[T] };
}[JobEventType];

export type NewJobEvent = JobEventContent & {
  readonly at: Date;
  readonly attempt: number;
  readonly stageIndex: number | null;
};

/** As subscribers see it; `cursor` counts 1, 2, 3 … per job. */
export type PersistedJobEvent = NewJobEvent & { readonly jobId: string; readonly cursor: number };

const terminal: ReadonlySet<JobState> = new Set<JobState>(["SUCCEEDED", "FAILED", "CANCELLED"]);

export function isTerminal(state: JobState): boolean {
  return terminal.has(state);
}

/** The last event of a job: nothing follows it. */
export function endsJob(event: JobEventContent): boolean {
  return event.type === "JobStateChanged" && isTerminal(event.body.state);
}
