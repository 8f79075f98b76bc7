import { isTerminal } from "@hopwise/contracts/jobs/terminal-states";
import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Link, useNavigate } from "@tanstack/react-router";
import { useMutation } from "urql";
import { cancelJobMutation, deleteJobMutation } from "../../services/documents/jobs.ts";
import type { JobSnapshot } from "../../services/job-state.ts";
import { ConfirmDialog } from "../ConfirmDialog/ConfirmDialog.tsx";
import { DeleteMenu } from "../DeleteMenu/DeleteMenu.tsx";
import { KeepModel } from "../Models/KeepModel.tsx";
import { RunAgain } from "../RunAgain/RunAgain.tsx";
import { EndTraining } from "./EndTraining.tsx";

/** What can be done with a job: look at its results, end or stop it while it runs, run it again or delete it after. */
export function JobActions({ job }: { readonly job: JobSnapshot }) {
  return (
    <>
      {job.embeddings && (
        <Button component={Link} to={`/jobs/${job.id}/embeddings`}>
          Embeddings and downloads
        </Button>
      )}
      {job.state === "SUCCEEDED" && job.kind === "train" && <KeepModel job={job} />}
      {isTerminal(job.state) && job.kind === "train" && <RunAgain job={job} />}
      {job.kind === "train" && <EndTraining key={`${job.id} ${job.state}`} job={job} />}
      {isTerminal(job.state) ? <DeleteJob job={job} /> : <CancelJob job={job} />}
    </>
  );
}

function CancelJob({ job }: { readonly job: JobSnapshot }) {
  const [asks, { open, close }] = useDisclosure();
  const [{ fetching, error }, cancel] = useMutation(cancelJobMutation);
  const confirm = async () => {
    const answer = await cancel({ id: job.id });
    if (answer.data) close();
  };
  return (
    <>
      <Button variant="default" color="red" onClick={open} disabled={job.state === "CANCELLING"}>
        {job.state === "CANCELLING" ? "Cancelling" : "Cancel"}
      </Button>
      <ConfirmDialog
        opened={asks}
        onClose={close}
        title="Cancel this job?"
        error={error}
        isBusy={fetching}
        keep="Let it run"
        confirm="Cancel the job"
        onConfirm={() => void confirm()}
      >
        It stops within seconds. What its finished stages made is kept and can be reused by another job.
      </ConfirmDialog>
    </>
  );
}

function DeleteJob({ job }: { readonly job: JobSnapshot }) {
  const navigate = useNavigate();
  const [{ fetching, error }, remove] = useMutation(deleteJobMutation);
  const confirm = async () => {
    const answer = await remove({ id: job.id });
    if (answer.data) await navigate({ to: "/jobs" });
  };
  return (
    <DeleteMenu
      what="job"
      name={job.name || "this job"}
      error={error}
      isBusy={fetching}
      onDelete={() => void confirm()}
    >
      Its model, embeddings, predictions, curves and log go for good. The dataset stays, and so does what other jobs use
      of its results.
    </DeleteMenu>
  );
}
