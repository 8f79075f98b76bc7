import { Alert, Anchor, Button, Stack, Text, TextInput } from "@mantine/core";
import type { JobSubmission } from "../../hooks/use-job-form.ts";
import { formatBytes, formatSeconds } from "../../services/format.ts";
import type { SparseSpec } from "../../services/job-form.ts";
import type { ReadSweep } from "../../services/sweep-draft.ts";
import { ProblemAlert } from "../ProblemAlert/ProblemAlert.tsx";
import classes from "./JobForm.module.css";
import { SpecPreview } from "./SpecPreview.tsx";

interface StartPanelProps {
  readonly spec: SparseSpec;
  /** As it is sent */
  readonly sent: SparseSpec;
  readonly sweep: ReadSweep;
  readonly onChange: (section: string, value: unknown) => void;
  readonly submission: JobSubmission;
  /** Leads to the field that the API refuses */
  readonly onShowField: () => void;
}

/** What the job will need and the button that starts it, in sight wherever one is in the form. */
export function StartPanel({ spec, sent, sweep, onChange, submission, onShowField }: StartPanelProps) {
  const { estimate, epochs, isEstimating, problem, refusal, errors, isPlaced, isSending, canSend } = submission;
  const start = (
    <div className={classes.start}>
      {estimate && (
        <Text size="xs" className={classes.brief} aria-hidden="true">
          {formatSeconds(estimate.seconds)}, {formatBytes(estimate.memoryBytesPerRank)} per rank
        </Text>
      )}
      <Button type="submit" loading={isSending} disabled={!canSend} fullWidth size="md">
        {startText(sweep)}
      </Button>
      {refusal && (
        <Text size="sm" c="red" role="alert" aria-label="Why it was not started">
          Not started. {refusal.detail}
        </Text>
      )}
    </div>
  );
  return (
    <div className={classes.aside}>
      <Stack gap="md">
        {problem && !isPlaced && <ProblemAlert problem={problem} />}
        {spec["continueFrom"] !== undefined && <Continuation onBeginAnew={() => onChange("continueFrom", undefined)} />}
        <SpecPreview
          {...{ spec: sent, sweep: sweep.parts, epochs, estimate, isPlaced, onShowField }}
          isFetching={isEstimating}
          refusal={problem}
          name={
            <TextInput
              label="Job name"
              placeholder="May stay empty"
              error={errors.get("/name")}
              maxLength={120}
              value={typeof spec["name"] === "string" ? spec["name"] : ""}
              onChange={(event) => onChange("name", event.currentTarget.value || undefined)}
            />
          }
        >
          {start}
        </SpecPreview>
      </Stack>
    </div>
  );
}

/** Much of a spec must stay as it was for training to go on; whoever changes it can have it begin anew. */
function Continuation({ onBeginAnew }: { readonly onBeginAnew: () => void }) {
  return (
    <Alert color="gray" variant="light" title="Training goes on from a checkpoint" role="note">
      <Text size="sm">
        Dataset, split, model, sampler and the way to train stay as they were; epochs, time and results can change.{" "}
        <Anchor component="button" type="button" size="sm" onClick={onBeginAnew}>
          Begin training anew instead
        </Anchor>
      </Text>
    </Alert>
  );
}

function startText({ parts, numJobs }: ReadSweep): string {
  if (!parts) return "Start training";
  return parts.auto ? "Start the search" : `Start ${numJobs} trainings`;
}
