import type { CallProblem } from "@hopwise/client";
import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useState } from "react";
import { api } from "../../services/api.ts";
import type { JobSnapshot } from "../../services/job-state.ts";
import { problemOfUnknown } from "../../services/problem.ts";
import { ConfirmDialog } from "../ConfirmDialog/ConfirmDialog.tsx";

/** Ends a training that has learnt enough, or takes too long: unlike a cancelled job it has its results. */
export function EndTraining({ job }: { readonly job: JobSnapshot }) {
  const [asks, { open, close }] = useDisclosure();
  const [isAsked, setAsked] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<CallProblem | null>(null);
  const confirm = async () => {
    setBusy(true);
    try {
      await api.call("POST /v1/jobs/:id/end-training", { params: { id: job.id } });
      setAsked(true);
      setRefusal(null);
      close();
    } catch (error) {
      setRefusal(problemOfUnknown(error));
    }
    setBusy(false);
  };
  return (
    <>
      <Button variant="default" onClick={open} disabled={isAsked}>
        {isAsked ? "Training ends" : "End training here"}
      </Button>
      <ConfirmDialog
        opened={asks}
        onClose={close}
        title="End the training here?"
        error={refusal}
        isBusy={isBusy}
        keep="Let it train"
        confirm="End the training"
        onConfirm={() => void confirm()}
      >
        The best weights so far become its model, and embeddings, predictions and figures are made of them as planned.
      </ConfirmDialog>
    </>
  );
}

/** Whether a job has a training that is not over. */
export function isTraining({ state, stages }: Pick<JobSnapshot, "state" | "stages">): boolean {
  return state === "RUNNING" && stages.some((stage) => stage.kind === "train" && stage.state === "RUNNING");
}
