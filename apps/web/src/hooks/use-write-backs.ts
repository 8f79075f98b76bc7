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
  const [items, setItems] = useState<readonly WriteBack[] | null>(null);
  const [problem, setProblem] = useState<CallProblem | null>(null);
  const ask = useCallback(async () => {
    const { items: found, problem: failed } = await newestOf(jobId);
    if (found) setItems(found);
    setProblem(failed);
  }, [jobId]);
  const refresh = useCallback(() => void ask(), [ask]);
  useEffect(refresh, [refresh]);
  usePolling(refresh, items?.some(({ finishedAt }) => finishedAt === null) ?? false);
  return { items, problem, refresh };
}

async function newestOf(id: string): Promise<Pick<WriteBacks, "items" | "problem">> {
  try {
    return { items: (await api.call("GET /v1/jobs/:id/write-backs", { params: { id } })).items, problem: null };
  } catch (error) {
    return { items: null, problem: problemOfUnknown(error) };
  }
}
