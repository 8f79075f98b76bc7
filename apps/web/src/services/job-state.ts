import { isTerminal } from "@hopwise/contracts/jobs/terminal-states";
import type { jobEventsSubscription, jobQuery } from "./documents/job.ts";
import type { ResultOf } from "./graphql.ts";
import { withLaterLine } from "./job-log.ts";
import { type SeriesData, withPoint } from "./series.ts";

type QueriedJob = NonNullable<ResultOf<typeof jobQuery>["job"]>;
export type JobSnapshot = Omit<QueriedJob, "series"> & { readonly series: readonly SeriesData[] };
export type JobEvent = ResultOf<typeof jobEventsSubscription>["jobEvents"];

/** As many as the API lists. */
const mostIncidents = 1000;

/** Whether nothing of it is with a worker although it should go on. */
export function isWaiting({ state, stages }: Pick<JobSnapshot, "state" | "stages">): boolean {
  const isHeld = stages.some((stage) => stage.state === "QUEUED" || stage.state === "RUNNING");
  return state === "QUEUED" || (state === "RUNNING" && !isHeld);
}

/**
 * The job after one more event. Events at or before the job's cursor change nothing, so a snapshot and a replay
 * that overlap, or a reconnect that repeats, give the same picture.
 */
export function applyJobEvent(job: JobSnapshot, event: JobEvent): JobSnapshot {
  if (!isAfter(event.cursor, job.cursor)) return job;
  return { ...job, ...changeOf(job, event), cursor: event.cursor };
}

function changeOf(job: JobSnapshot, event: JobEvent): Partial<JobSnapshot> {
  switch (event.__typename) {
    case "JobStateChanged":
      return { state: event.state, problem: event.problem };
    case "StageProgressed":
      return { stages: withStage(job.stages, event) };
    case "MetricsRecorded":
      return { series: withPoints(job.series, event) };
    case "RankUpdated":
      return { ranks: withRank(job.ranks, event) };
    case "LogAppended": {
      const { __typename, logStage, ...line } = event;
      return { logs: withLaterLine(job.logs, { ...line, stageIndex: logStage }) };
    }
    case "IncidentRaised": {
      const { __typename, incidentMember: member, ...incident } = event;
      return { incidents: [...job.incidents, { ...incident, member }].slice(-mostIncidents) };
    }
    default:
      // ArtifactReady brings a new snapshot; a newer API may send kinds that this page does not draw.
      return {};
  }
}

type EventOf<Name extends JobEvent["__typename"]> = Extract<JobEvent, { __typename: Name }>;

/** Progress of a stage; when it starts and ends is told by the time of the event that changed its state. */
function withStage(stages: JobSnapshot["stages"], event: EventOf<"StageProgressed">): JobSnapshot["stages"] {
  const { __typename, cursor: _cursor, at, stageIndex, stageState: state, ...progress } = event;
  return stages.map((stage) => {
    if (stage.index !== stageIndex) return stage;
    const started = state === "RUNNING" && (stage.state !== "RUNNING" || stage.attempt !== progress.attempt);
    const ended = isTerminal(state);
    return {
      ...stage,
      ...progress,
      state,
      startedAt: started ? at : stage.startedAt,
      finishedAt: ended ? (stage.finishedAt ?? at) : null,
    };
  });
}

/** Rows of ranks come with the snapshot that follows a stage's start; here they only advance. */
function withRank(ranks: JobSnapshot["ranks"], event: EventOf<"RankUpdated">): JobSnapshot["ranks"] {
  const { __typename, cursor: _cursor, at: _at, member, ...said } = event;
  // Without a breakdown it is of a stage that trains nothing: the last figures of training stay.
  const update = said.breakdown ? said : { rssBytes: said.rssBytes };
  return ranks.map((rank) =>
    rank.name === member && rank.attempt === said.attempt ? { ...rank, ...update, state: "RUNNING" } : rank,
  );
}

function withPoints(series: JobSnapshot["series"], event: EventOf<"MetricsRecorded">): JobSnapshot["series"] {
  const { axis, step } = event;
  const time = Date.parse(event.at);
  return event.values.reduce<readonly SeriesData[]>(
    (all, { name, value }) => withPoint(all, { name, axis, step, value, time }),
    series,
  );
}

/** Cursors count 1, 2, 3 … per job and travel as text. */
export function isAfter(cursor: string, other: string | null | undefined): boolean {
  return other === null || other === undefined || Number(cursor) > Number(other);
}
