import { useCallback, useEffect, useReducer, useRef, useState } from "react";
import { useClient } from "urql";
import { earlierLogsQuery } from "../services/documents/job.ts";
import { JobFollower, type LiveState } from "../services/job-follower.ts";
import { withEarlierPage, withTail } from "../services/job-log.ts";
import { applyJobEvent, isAfter, type JobEvent, type JobSnapshot } from "../services/job-state.ts";
import { problemFromGraphql, type ShownProblem } from "../services/problem.ts";

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

/**
 * One job, kept up to date: a snapshot, then the events after its cursor. When the socket closes, it takes a new
 * snapshot and resumes after that cursor; nothing is lost or drawn twice.
 */
export function useJob(id: string): LiveJob {
  const client = useClient();
  const [job, dispatch] = useReducer(reduce, null);
  const [problem, setProblem] = useState<ShownProblem | null>(null);
  const [live, setLive] = useState<LiveState>("connecting");
  const follower = useRef<JobFollower | null>(null);
  const reload = useCallback(() => follower.current?.start(), []);

  useEffect(() => {
    const following = new JobFollower(client, id, {
      onSnapshot: (snapshot) => dispatch({ snapshot }),
      onEvents: (events) => dispatch({ events }),
      onProblem: setProblem,
      onLive: setLive,
    });
    follower.current = following;
    following.start();
    return () => following.stop();
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
