import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Link, useNavigate } from "@tanstack/react-router";
import { useMutation } from "urql";
import { cancelSweepMutation, deleteSweepMutation } from "../../services/documents/sweeps.ts";
import { ConfirmDialog } from "../ConfirmDialog/ConfirmDialog.tsx";
import { DeleteMenu } from "../DeleteMenu/DeleteMenu.tsx";
import { PromoteBest } from "./PromoteBest.tsx";
import type { SummedSweep } from "./SettingTable.tsx";

interface SweepActionsProps {
  readonly summed: SummedSweep;
  readonly onChanged: () => void;
}

/** What can be done with a sweep: compare its runs, keep the best, stop it while it runs, delete it after. */
export function SweepActions({ summed, onChanged }: SweepActionsProps) {
  const { sweep, settings, best } = summed;
  const jobs = settings.flatMap(({ trials }) => trials.map(({ jobId }) => jobId));
  return (
    <>
      {best && <PromoteBest sweep={sweep} reason={best.reason} />}
      {jobs.length > 1 && (
        <Button
          variant="default"
          renderRoot={(props) => <Link {...props} to="/compare" search={{ jobs: jobs.join(","), seeds: true }} />}
        >
          Compare the runs
        </Button>
      )}
      {sweep.finishedAt === null ? (
        <CancelSweep id={sweep.id} onChanged={onChanged} />
      ) : (
        <DeleteSweep id={sweep.id} name={sweep.name} />
      )}
    </>
  );
}

function CancelSweep({ id, onChanged }: { readonly id: string; readonly onChanged: () => void }) {
  const [asks, { open, close }] = useDisclosure();
  const [{ fetching, error }, cancel] = useMutation(cancelSweepMutation);
  const confirm = async () => {
    const { data } = await cancel({ id });
    if (!data) return;
    close();
    onChanged();
  };
  return (
    <>
      <Button variant="default" color="red" onClick={open}>
        Cancel all
      </Button>
      <ConfirmDialog
        opened={asks}
        onClose={close}
        title="Cancel this sweep?"
        error={error}
        isBusy={fetching}
        keep="Let it run"
        confirm="Cancel all its jobs"
        onConfirm={() => void confirm()}
      >
        Its jobs stop within seconds. Those that have ended stay as they are.
      </ConfirmDialog>
    </>
  );
}

function DeleteSweep({ id, name }: { readonly id: string; readonly name: string }) {
  const navigate = useNavigate();
  const [{ fetching, error }, remove] = useMutation(deleteSweepMutation);
  const confirm = async () => {
    const { data } = await remove({ id });
    if (data) await navigate({ to: "/sweeps" });
  };
  return (
    <DeleteMenu what="sweep" name={name} error={error} isBusy={fetching} onDelete={() => void confirm()}>
      All its jobs go with what they made. Models that were kept stay.
    </DeleteMenu>
  );
}
