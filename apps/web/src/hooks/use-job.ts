import { useCallback, useEffect, useReducer, useRef, useState } from "react";
import { useClient } from "urql";
import { earlierLogsQuery, jobEventsSubscription, jobQuery } from "../services/documents.ts";
import { withEarlierPage, withTail } from "../services/job-log.ts";
import { applyJobEvent, isAfter, isEnded, type JobEvent, type JobSnapshot } from "../services/job-state.ts";
import { problemFromGraphql, type ShownProblem } from "../services/problem.ts";

export type LiveState = "connecting" | "live" | "reconnecting" | "ended";

export interface LiveJob {
  /** null while loading; undefined when there is no such job */
  readonly job: JobSnapshot | null | undefined;
  readonly problem: ShownProblem | null;
  readonly live: LiveState;
  readonly reload: () => void;
  /** Brings the page of log lines before those that are there. @returns why it could not */
  readonly loadEarlierLogs: () => Promise<ShownProblem | null>;
}

type Action =
  | { snapshot: JobSnapshot | undefined }
  | { events: readonly JobEvent[] }
  | { earlierLogs: JobSnapshot["logs"] };

function reduce(job: JobSnapshot | null | undefined, action: Action): JobSnapshot | null | undefined {
  if ("snapshot" in action) {
    const known = job?.cursor;
    // A snapshot that left the API before events we already have would turn the page back.
    if (job && action.snapshot && known && isAfter(known, action.snapshot.cursor)) return job;
    return job && action.snapshot
      ? { ...action.snapshot, logs: withTail(job.logs, action.snapshot.logs) }
      : action.snapshot;
  }
  if ("earlierLogs" in action) return job && { ...job, logs: withEarlierPage(job.logs, action.earlierLogs) };
  return job ? action.events.reduce(applyJobEvent, job) : job;
}

const retryMs = [500, 1000, 2000, 5000];
const batchMs = 100;

/**
 * One job, kept up to date: a snapshot, then the events after its cursor. When the socket closes, it takes a new
 * snapshot and resumes after that cursor; nothing is lost or drawn twice.
 */
export function useJob(id: string): LiveJob {
  const client = useClient();
  const [job, dispatch] = useReducer(reduce, null);
  const [problem, setProblem] = useState<ShownProblem | null>(null);
  const [live, setLive] = useState<LiveState>("connecting");
  const restart = useRef(() => {});
  const reload = useCallback(() => restart.current(), []);

  useEffect(() => {
    let stopped = false;
    let tries = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let unsubscribe: (() => void) | undefined;
    const stageStates = new Map<number, string>();
    const batch = createBatch((events) => {
      dispatch({ events });
      if (events.filter((event) => bringsReport(event, stageStates)).length > 0) void takeSnapshot();
    });

    async function takeSnapshot(): Promise<JobSnapshot | undefined> {
      const result = await client.query(jobQuery, { id }, { requestPolicy: "network-only" }).toPromise();
      if (stopped) return undefined;
      if (result.error) {
        setProblem(problemFromGraphql(result.error));
        return undefined;
      }
      setProblem(null);
      const snapshot = result.data?.job ?? undefined;
      dispatch({ snapshot });
      if (snapshot && isEnded(snapshot.state)) setLive("ended");
      return snapshot;
    }

    async function follow(): Promise<void> {
      const snapshot = await takeSnapshot();
      if (stopped) return;
      if (!snapshot) return retry();
      if (isEnded(snapshot.state)) return;
      const subscription = client
        .subscription(jobEventsSubscription, { jobId: id, after: snapshot.cursor })
        .subscribe((result) => {
          if (result.data) {
            tries = 0;
            setLive("live");
            batch.add(result.data.jobEvents);
          }
          if (result.error || !result.hasNext) retry();
        });
      unsubscribe = () => subscription.unsubscribe();
      setLive("live");
    }

    function retry(): void {
      if (stopped) return;
      unsubscribe?.();
      unsubscribe = undefined;
      setLive("reconnecting");
      clearTimeout(timer);
      timer = setTimeout(() => void follow(), retryMs[Math.min(tries++, retryMs.length - 1)]);
    }

    restart.current = () => {
      unsubscribe?.();
      clearTimeout(timer);
      void follow();
    };
    void follow();
    return () => {
      stopped = true;
      restart.current = () => {};
      clearTimeout(timer);
      batch.stop();
      unsubscribe?.();
    };
  }, [client, id]);

  const firstLine = job?.logs.lines.at(0)?.cursor;
  const loadEarlierLogs = useCallback(async () => {
    if (firstLine === undefined) return null;
    const { data, error } = await client.query(earlierLogsQuery, { id, before: firstLine }).toPromise();
    if (data?.job) dispatch({ earlierLogs: data.job.logs });
    return error ? problemFromGraphql(error) : null;
  }, [client, id, firstLine]);

  return { job, problem, live, reload, loadEarlierLogs };
}

/**
 * Whether an event says that there is more to read than it carries: reports and results lie in artifacts (a
 * checkpoint changes no report), and a stage that begins or ends changes ranks and attempts.
 */
function bringsReport(event: JobEvent, stageStates: Map<number, string>): boolean {
  if (event.__typename === "ArtifactReady") return event.kind !== "checkpoint";
  if (event.__typename !== "StageProgressed") return event.__typename === "JobStateChanged";
  const state = `${event.attempt} ${event.stageState}`;
  const isNew = stageStates.get(event.stageIndex) !== state;
  stageStates.set(event.stageIndex, state);
  return isNew;
}

/** Hands events over at most ten times a second, so that a fast job does not redraw the page per event. */
function createBatch(flush: (events: readonly JobEvent[]) => void) {
  let waiting: JobEvent[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const run = () => {
    timer = undefined;
    const events = waiting;
    waiting = [];
    flush(events);
  };
  return {
    add(event: JobEvent) {
      waiting.push(event);
      timer ??= setTimeout(run, batchMs);
    },
    stop: () => clearTimeout(timer),
  };
}
