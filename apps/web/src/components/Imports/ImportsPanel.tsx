import { Stack } from "@mantine/core";
import { useCallback, useEffect, useRef } from "react";
import { useMutation, useQuery } from "urql";
import { useLiveRefresh } from "../../hooks/use-live-refresh.ts";
import { importsQuery, startImportMutation } from "../../services/documents/imports.ts";
import type { AskedFile } from "../../services/import-addresses.ts";
import { problemFromGraphql } from "../../services/problem.ts";
import { Panel } from "../Panel/Panel.tsx";
import { QueryView } from "../QueryView/QueryView.tsx";
import { ImportForm } from "./ImportForm.tsx";
import { ImportRow } from "./ImportRow.tsx";

const topics = ["DATASETS"] as const;

interface ImportsPanelProps {
  readonly datasetId: string;
  /** Whether files may be added to the version that is shown */
  readonly takesFiles: boolean;
  /** An import has ended. */
  readonly onEnded: () => void;
}

/** Files that the service fetches for a dataset: how far it is, and more of them. */
export function ImportsPanel({ datasetId, takesFiles, onEnded }: ImportsPanelProps) {
  const [state, refetch] = useQuery({ query: importsQuery, variables: { dataset: datasetId } });
  const refresh = useCallback(() => refetch({ requestPolicy: "network-only" }), [refetch]);
  useLiveRefresh({ refresh, isFetching: state.fetching || state.stale, topics, everyMs: 1000 });
  const numEnded = state.data?.imports.filter(({ state: now }) => now !== "WAITING" && now !== "RUNNING").length;
  useTellOnMore(numEnded, onEnded);
  const [{ fetching, error }, start] = useMutation(startImportMutation);
  const fetch = async (files: readonly AskedFile[]) => {
    await start({ dataset: datasetId, input: { files: [...files], replace: true } });
    refresh();
  };
  if (!takesFiles && state.data?.imports.length === 0) return null;
  return (
    <Panel title="Imports" help="Files that the service fetches from addresses, through cuts and restarts.">
      <QueryView state={state} onRetry={refresh}>
        {({ imports }) => (
          <Stack gap="sm">
            {imports.map((one) => (
              <ImportRow key={one.id} shown={one} onChanged={refresh} />
            ))}
            {takesFiles && (
              <ImportForm
                label="Fetch files"
                isBusy={fetching}
                problem={error ? problemFromGraphql(error) : null}
                onFetch={(files) => void fetch(files)}
              />
            )}
          </Stack>
        )}
      </QueryView>
    </Panel>
  );
}

/** Tells when a number that is known has grown. */
function useTellOnMore(number: number | undefined, tell: () => void) {
  const before = useRef(number);
  useEffect(() => {
    if (before.current !== undefined && number !== undefined && number > before.current) tell();
    before.current = number;
  }, [number, tell]);
}
