import type { CallProblem, WriteBack } from "@hopwise/client";
import { useCallback, useEffect, useState } from "react";
import { api } from "../services/api.ts";
import { problemOfUnknown } from "../services/problem.ts";
import { usePolling } from "./use-polling.ts";

/** Where a job's results have been written, and are being. */
export interface WriteBacks {
  /** The newest first; null: not asked yet */
  readonly items: readonly WriteBack[] | null;
  readonly problem: CallProblem | null;
  readonly refresh: () => void;
}

/** Asked again as long as one of them goes on. */
export function useWriteBacks(jobId: string): WriteBacks {
  const [{ items, problem }, setAsked] = useState(nothing);
  const refresh = useCallback(() => {
    void newestOf(jobId).then((found) =>
      // What could not be asked again is shown as it was last.
      setAsked((before) => ({ items: found.items ?? before.items, problem: found.problem })),
    );
  }, [jobId]);
  useEffect(refresh, [refresh]);
  usePolling(refresh, items?.some(({ finishedAt }) => finishedAt === null) ?? false);
  return { items, problem, refresh };
}

type Asked = Pick<WriteBacks, "items" | "problem">;

const nothing: Asked = { items: null, problem: null };

async function newestOf(id: string): Promise<Asked> {
  try {
    return { items: (await api.call("GET /v1/jobs/:id/write-backs", { params: { id } })).items, problem: null };
  } catch (error) {
    return { items: null, problem: problemOfUnknown(error) };
  }
}
