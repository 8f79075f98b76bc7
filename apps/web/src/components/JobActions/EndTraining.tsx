import type { CallProblem } from "@hopwise/client";
import { Button, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useEffect, useState } from "react";
import { api } from "../../services/api.ts";
import type { JobSnapshot } from "../../services/job-state.ts";
import { problemOfUnknown } from "../../services/problem.ts";
import { ConfirmDialog } from "../ConfirmDialog/ConfirmDialog.tsx";

/**
 * Ends a training that has learnt enough, or takes too long: unlike a cancelled job it has its results. Says so of one
 * that is over.
 */
export function EndTraining({ job }: { readonly job: JobSnapshot }) {
  const [asks, { open, close }] = useDisclosure();
  const [isAsked, setAsked] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<CallProblem | null>(null);
  const { id } = job;
  // Somebody may have asked for it before, or elsewhere. Who asks once more loses nothing, so that no failure matters.
  useEffect(() => {
    const asked = api.call("GET /v1/jobs/:id", { params: { id } });
    asked.then(({ endsTraining }) => setAsked((is) => is || endsTraining)).catch(() => {});
  }, [id]);
  const confirm = async () => {
    setBusy(true);
    try {
      await api.call("POST /v1/jobs/:id/end-training", { params: { id } });
      setAsked(true);
      setRefusal(null);
      close();
    } catch (error) {
      setRefusal(problemOfUnknown(error));
    }
    setBusy(false);
  };
  if (!isTraining(job)) {
    return isAsked ? (
      <Text size="sm" c="dimmed" role="note">
        Training was told to end early
      </Text>
    ) : null;
  }
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
function isTraining({ state, stages }: Pick<JobSnapshot, "state" | "stages">): boolean {
  return state === "RUNNING" && stages.some((stage) => stage.kind === "train" && stage.state === "RUNNING");
}
