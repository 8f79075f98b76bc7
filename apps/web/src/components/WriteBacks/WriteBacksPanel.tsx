import { Stack } from "@mantine/core";
import { useWriteBacks } from "../../hooks/use-write-backs.ts";
import { Panel } from "../Panel/Panel.tsx";
import { ProblemAlert } from "../ProblemAlert/ProblemAlert.tsx";
import { WriteBackForm } from "./WriteBackForm.tsx";
import { WriteBackRow } from "./WriteBackRow.tsx";

interface WriteBacksPanelProps {
  readonly jobId: string;
  readonly has: { readonly predictions: boolean; readonly pairs: boolean };
  readonly mayChange: boolean;
}

/** Where a job's results have been written, and a form that has more written. */
export function WriteBacksPanel({ jobId, has, mayChange }: WriteBacksPanelProps) {
  const { items, problem, refresh } = useWriteBacks(jobId);
  if (!mayChange && (items?.length ?? 0) === 0) return null;
  return (
    <Panel title="Into a database" help="All rows are written into a table of your PostgreSQL, or none.">
      <Stack gap="md">
        {problem && <ProblemAlert problem={problem} />}
        {items?.map((one) => (
          <WriteBackRow key={one.id} shown={one} mayChange={mayChange} onChanged={refresh} />
        ))}
        {mayChange && <WriteBackForm jobId={jobId} has={has} onStarted={refresh} />}
      </Stack>
    </Panel>
  );
}
