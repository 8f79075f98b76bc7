import { useCallback, useEffect, useRef } from "react";
import { useQuery } from "urql";
import { importSchedulesQuery, importsQuery } from "../services/documents/imports.ts";
import { useLiveRefresh } from "./use-live-refresh.ts";

const topics = ["DATASETS"] as const;

/** A dataset's newest imports and schedules, asked for again whenever one moves; tells when one has ended. */
export function useImports(datasetId: string, onEnded: () => void) {
  const [state, refetch] = useQuery({ query: importsQuery, variables: { dataset: datasetId } });
  const [schedules, refetchSchedules] = useQuery({ query: importSchedulesQuery, variables: { dataset: datasetId } });
  const refresh = useCallback(() => {
    refetch({ requestPolicy: "network-only" });
    refetchSchedules({ requestPolicy: "network-only" });
  }, [refetch, refetchSchedules]);
  useLiveRefresh({ refresh, isFetching: state.fetching || state.stale, topics, everyMs: 1000 });
  const imports = state.data?.imports;
  const numActive = imports?.filter(({ state: now }) => now === "WAITING" || now === "RUNNING").length ?? 0;
  useTellOnMore(imports && imports.length - numActive, onEnded);
  const isKnown = imports !== undefined || state.error !== undefined;
  return {
    state,
    schedules: schedules.data?.importSchedules ?? [],
    refresh,
    isActive: numActive > 0,
    isIdle: isKnown && numActive === 0,
  };
}

export type DatasetImports = ReturnType<typeof useImports>;

/** Tells when a number that is known has grown. */
function useTellOnMore(number: number | undefined, tell: () => void) {
  const before = useRef(number);
  useEffect(() => {
    if (before.current !== undefined && number !== undefined && number > before.current) tell();
    before.current = number;
  }, [number, tell]);
}
