import { Stack } from "@mantine/core";
import { type FormEvent, useEffect, useMemo, useRef, useState } from "react";
import { type JobFormProps, useJobSettings, useJobSubmission } from "../../hooks/use-job-form.ts";
import { formPointers } from "../../services/job-form.ts";
import { keepFromSending } from "../../services/keep-from-sending.ts";
import { problemFromGraphql } from "../../services/problem.ts";
import { showRefusedField } from "../../services/refused-field.ts";
import { noSweep, readSweep, specToSend, sweptPaths } from "../../services/sweep-draft.ts";
import { ProblemAlert } from "../ProblemAlert/ProblemAlert.tsx";
import { FieldChangesContext } from "../SchemaForm/field-view.ts";
import { AdvancedSettings } from "./AdvancedSettings.tsx";
import { BasicsPanel } from "./BasicsPanel.tsx";
import { ChangesPanel } from "./ChangesPanel.tsx";
import classes from "./JobForm.module.css";
import { StartPanel } from "./StartPanel.tsx";
import { SweepFold } from "./SweepFold.tsx";

/** A training job to be: what to train on, how, and the button that starts it. */
export function JobForm(props: JobFormProps) {
  const settings = useJobSettings(props);
  const { spec, set, changes, reset, proposing, refetch, edited, started } = settings;
  const [draft, setDraft] = useState(noSweep);
  const sweep = useMemo(() => readSweep(draft), [draft]);
  const paths = useMemo(() => sweptPaths(formPointers(spec, props.catalog)), [spec, props.catalog]);
  const sent = useMemo(() => specToSend(spec, sweep.parts, edited, started.spec), [spec, sweep, edited, started]);
  const submission = useJobSubmission(settings, props.catalog, sweep, sent);
  const formRef = useRef<HTMLFormElement>(null);
  const { refusal, errors } = submission;
  const showField = () => formRef.current && showRefusedField(formRef.current);
  useEffect(() => {
    if (refusal && formRef.current) showRefusedField(formRef.current);
  }, [refusal]);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    void submission.send();
  };
  const marks = useMemo(
    () => ({ changes: new Map(changes.map((change) => [change.pointer, change])), onReset: reset }),
    [changes, reset],
  );
  return (
    <form ref={formRef} className={classes.columns} onSubmit={onSubmit} onKeyDown={keepFromSending}>
      <FieldChangesContext value={marks}>
        <Stack gap="lg">
          <BasicsPanel choices={props.choices} settings={settings} catalog={props.catalog} errors={errors} />
          {proposing.error && (
            <ProblemAlert
              problem={problemFromGraphql(proposing.error)}
              onRetry={() => refetch({ requestPolicy: "network-only" })}
            />
          )}
          <ChangesPanel settings={settings} />
          <AdvancedSettings catalog={props.catalog} spec={spec} changes={changes} onChange={set} errors={errors} />
          <SweepFold draft={draft} sweep={sweep} paths={paths} onChange={setDraft} />
        </Stack>
      </FieldChangesContext>
      <StartPanel {...{ spec, sent, sweep, submission }} onChange={set} onShowField={showField} />
    </form>
  );
}
