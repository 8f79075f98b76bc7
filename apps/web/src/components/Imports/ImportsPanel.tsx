import { Stack } from "@mantine/core";
import { useMutation } from "urql";
import type { DatasetImports } from "../../hooks/use-imports.ts";
import { startImportMutation } from "../../services/documents/imports.ts";
import type { AskedFile } from "../../services/import-addresses.ts";
import { problemFromGraphql } from "../../services/problem.ts";
import { Panel } from "../Panel/Panel.tsx";
import { QueryView } from "../QueryView/QueryView.tsx";
import { ImportRow } from "./ImportRow.tsx";
import { ScheduleRow } from "./ScheduleRow.tsx";
import { SourceForms } from "./SourceForms.tsx";

interface ImportsPanelProps {
  readonly datasetId: string;
  readonly imports: DatasetImports;
  /** Whether files may be added to the version that is shown */
  readonly takesFiles: boolean;
}

/** Files that the service fetches for a dataset: how far it is, and more of them. */
export function ImportsPanel({ datasetId, imports: { state, schedules, refresh }, takesFiles }: ImportsPanelProps) {
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
            {schedules.map((one) => (
              <ScheduleRow key={one.id} shown={one} onChanged={refresh} />
            ))}
            {imports.map((one) => (
              <ImportRow
                key={one.id}
                shown={one}
                schedule={schedules.find(({ id }) => id === one.repeatedBy) ?? null}
                onChanged={refresh}
              />
            ))}
            {takesFiles && (
              <SourceForms
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
