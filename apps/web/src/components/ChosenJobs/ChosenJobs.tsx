import { isTerminal } from "@hopwise/contracts/jobs/terminal-states";
import { Button, Group, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Link } from "@tanstack/react-router";
import { useBulkChanges } from "../../hooks/use-bulk-changes.tsx";
import type { ChosenJobsState } from "../../hooks/use-chosen-jobs.ts";
import { mostCompared } from "../../services/comparison.ts";
import { formatCount } from "../../services/format.ts";
import { ConfirmDialog } from "../ConfirmDialog/ConfirmDialog.tsx";
import { TagField } from "./TagField.tsx";

interface ChosenJobsProps {
  readonly chosen: ChosenJobsState;
  /** Whoever only looks compares; editors also tag, cancel and delete. */
  readonly mayChange: boolean;
  readonly onChanged: () => void;
}

/** What can be done with all the jobs that are ticked. */
export function ChosenJobs({ chosen, mayChange, onChanged }: ChosenJobsProps) {
  const { jobs, clear } = chosen;
  const isTooMany = jobs.length > mostCompared;
  return (
    <Group gap="sm" mb="md" role="group" aria-label="Chosen jobs">
      <Text size="sm">
        {jobs.length === 1 ? "1 job chosen" : `${formatCount(jobs.length)} jobs chosen`}
        {isTooMany && `; ${mostCompared} can be compared at most`}
      </Text>
      {jobs.length > 1 && !isTooMany && (
        <Button
          size="compact-sm"
          renderRoot={(props) => (
            <Link {...props} to="/compare" search={{ jobs: jobs.map(({ id }) => id).join(",") }} />
          )}
        >
          Compare
        </Button>
      )}
      {mayChange && <Changes chosen={chosen} onChanged={onChanged} />}
      <Button size="compact-sm" variant="default" onClick={clear}>
        Clear
      </Button>
    </Group>
  );
}

function Changes({ chosen: { jobs, clear }, onChanged }: Omit<ChosenJobsProps, "mayChange">) {
  const changes = useBulkChanges(onChanged);
  const [asks, { open, close }] = useDisclosure();
  const active = jobs.filter(({ state }) => !isTerminal(state)).length;
  const cancel = async () => {
    await changes.cancel(jobs);
    close();
  };
  const remove = () => {
    changes.remove(jobs);
    clear();
  };
  return (
    <>
      <TagField isBusy={changes.isBusy} onTag={(name, value) => changes.tag(jobs, name, value)} />
      {active > 0 && (
        <Button size="compact-sm" variant="default" onClick={open}>
          Cancel {active}
        </Button>
      )}
      {active < jobs.length && (
        <Button size="compact-sm" variant="default" color="red" onClick={remove}>
          Delete {jobs.length - active}
        </Button>
      )}
      <ConfirmDialog
        opened={asks}
        onClose={close}
        title={active === 1 ? "Cancel 1 job?" : `Cancel ${active} jobs?`}
        error={undefined}
        isBusy={changes.isBusy}
        keep="Let them run"
        confirm="Cancel them"
        onConfirm={() => void cancel()}
      >
        They stop within seconds. What their finished stages made is kept and can be reused by other jobs.
      </ConfirmDialog>
    </>
  );
}
