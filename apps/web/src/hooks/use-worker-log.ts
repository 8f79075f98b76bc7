import { useCallback, useEffect, useRef, useState } from "react";
import { type CombinedError, useClient } from "urql";
import { workerLogQuery } from "../services/documents/workers.ts";
import type { ResultOf } from "../services/graphql.ts";
import { keptLogLines } from "../services/job-log.ts";
import { usePolling } from "./use-polling.ts";

type Answered = ResultOf<typeof workerLogQuery>["workerLog"][number];
export type WorkerLogLine = Omit<Answered, "level"> & { readonly level: string };

const none: readonly WorkerLogLine[] = [];

/** The log of a worker while it is looked at: what is kept, then what comes behind it. */
export function useWorkerLog(id: string) {
  const client = useClient();
  const [lines, setLines] = useState<readonly WorkerLogLine[] | null>(null);
  const [error, setError] = useState<CombinedError>();
  const isAsking = useRef(false);
  const last = useRef<number | null>(null);
  const ask = useCallback(async () => {
    if (isAsking.current) return;
    isAsking.current = true;
    const asked = client.query(workerLogQuery, { id, after: last.current }, { requestPolicy: "network-only" });
    const { data, error: failed } = await asked.toPromise();
    isAsking.current = false;
    setError(failed);
    if (!data) return;
    last.current = data.workerLog.at(-1)?.cursor ?? last.current;
    setLines((known) => withNew(known ?? none, data.workerLog));
  }, [client, id]);
  const refresh = useCallback(() => void ask(), [ask]);
  useEffect(refresh, [refresh]);
  usePolling(refresh, true);
  return { lines, error, refresh };
}

/** No new list where there is no new line: nothing is drawn again then. */
function withNew(known: readonly WorkerLogLine[], found: readonly Answered[]): readonly WorkerLogLine[] {
  if (found.length === 0) return known;
  const lines = found.map((line) => ({ ...line, level: line.level.toLowerCase() }));
  return [...known, ...lines].slice(-keptLogLines);
}
