import { Button, Stack, Text } from "@mantine/core";
import { type FormEvent, useEffect, useRef } from "react";
import { type JobFormProps, type JobSubmission, useJobSettings, useJobSubmission } from "../../hooks/use-job-form.ts";
import type { SparseSpec } from "../../services/job-form.ts";
import { problemFromGraphql } from "../../services/problem.ts";
import { showRefusedField } from "../../services/refused-field.ts";
import { ProblemAlert } from "../ProblemAlert/ProblemAlert.tsx";
import { DatasetPanel } from "./DatasetPanel.tsx";
import classes from "./JobForm.module.css";
import { PresetPanel } from "./PresetPanel.tsx";
import { SpecPreview } from "./SpecPreview.tsx";
import { SpecSections } from "./SpecSections.tsx";

/** A training job to be: what to train on, how, and the button that starts it. */
export function JobForm(props: JobFormProps) {
  const settings = useJobSettings(props);
  const submission = useJobSubmission(settings.spec, props.catalog, settings.chosen.tasks.length > 0);
  const { started, start, edited, proposal, proposing, refetch, chosen } = settings;
  const formRef = useRef<HTMLFormElement>(null);
  const { refusal, errors } = submission;
  useEffect(() => {
    if (refusal && formRef.current) showRefusedField(formRef.current);
  }, [refusal]);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    void submission.send();
  };
  return (
    <form ref={formRef} className={classes.columns} onSubmit={onSubmit}>
      <Stack gap="lg">
        <DatasetPanel choices={props.choices} settings={settings} errors={errors} />
        {proposing.error && (
          <ProblemAlert
            problem={problemFromGraphql(proposing.error)}
            onRetry={() => refetch({ requestPolicy: "network-only" })}
          />
        )}
        <PresetPanel
          proposal={proposal?.dataset === chosen.id ? proposal : null}
          started={started}
          edited={edited}
          onStart={start}
        />
        <SpecSections catalog={props.catalog} spec={settings.spec} onChange={settings.set} errors={errors} />
      </Stack>
      <StartPanel spec={settings.spec} submission={submission} />
    </form>
  );
}

interface StartPanelProps {
  readonly spec: SparseSpec;
  readonly submission: JobSubmission;
}

function StartPanel({ spec, submission }: StartPanelProps) {
  const { estimate, isEstimating, problem, refusal, isPlaced, isSending, canSend } = submission;
  return (
    <div className={classes.aside}>
      <Stack gap="md">
        {problem && !isPlaced && <ProblemAlert problem={problem} />}
        <SpecPreview spec={spec} estimate={estimate} isFetching={isEstimating} refusal={problem} isPlaced={isPlaced}>
          <div className={classes.start}>
            <Button type="submit" loading={isSending} disabled={!canSend} fullWidth size="md">
              Start training
            </Button>
            {refusal && (
              <Text size="sm" c="red" role="alert" aria-label="Why it was not started">
                Not started. {refusal.detail}
              </Text>
            )}
          </div>
        </SpecPreview>
      </Stack>
    </div>
  );
}
