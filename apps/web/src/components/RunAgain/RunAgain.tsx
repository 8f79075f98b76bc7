import { Button, Group, Modal, Select, Stack, Text, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Link, useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { useMutation, useQuery } from "urql";
import { checkpointsQuery } from "../../services/documents/job.ts";
import { retryJobMutation } from "../../services/documents/jobs.ts";
import type { JobSnapshot } from "../../services/job-state.ts";
import { keepFromSending } from "../../services/keep-from-sending.ts";
import { problemFromGraphql } from "../../services/problem.ts";
import { hoursOf, lastOf, type RunAgainText, readRunAgain } from "../../services/run-again.ts";
import { ProblemAlert } from "../ProblemAlert/ProblemAlert.tsx";

/** An ended job once more: as it was, from its last checkpoint, with more time, or changed in the form. */
export function RunAgain({ job }: { readonly job: JobSnapshot }) {
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <Button variant="default" onClick={open}>
        Run again
      </Button>
      <Button
        variant="default"
        renderRoot={(props) => <Link {...props} to="/jobs/new" search={{ from: job.id }} />}
        title="A new job with these settings, to be changed first"
      >
        Clone
      </Button>
      <Modal opened={opened} onClose={close} title="Run this job again?" centered>
        <RunAgainForm job={job} onCancel={close} />
      </Modal>
    </>
  );
}

interface RunAgainFormProps {
  readonly job: JobSnapshot;
  readonly onCancel: () => void;
}

function RunAgainForm({ job, onCancel }: RunAgainFormProps) {
  const navigate = useNavigate();
  const [{ fetching, error }, retry] = useMutation(retryJobMutation);
  const [text, setText] = useState(() => textOf(job.spec));
  // One try is one job, however often the button is pressed before the answer comes.
  const [key] = useState(() => crypto.randomUUID());
  const { request, problems } = readRunAgain(text);
  const send = async (event: FormEvent) => {
    event.preventDefault();
    if (!request) return;
    const { from } = request;
    const idempotencyKey = `${key}/${JSON.stringify(request)}`;
    const answer = await retry({ id: job.id, ...request, from, idempotencyKey });
    if (answer.data) await navigate({ to: "/jobs/$jobId", params: { jobId: answer.data.retryJob.id } });
  };
  return (
    <form onSubmit={(event) => void send(event)} onKeyDown={keepFromSending}>
      <Stack>
        <Text size="sm">
          It becomes a new job. What the finished stages made is reused; this job and its results stay as they are.
        </Text>
        <Select
          label="Training"
          data={[
            { value: "CHECKPOINT", label: "goes on from the last checkpoint" },
            { value: "START", label: "begins anew" },
          ]}
          value={text.from}
          onChange={(from) => setText({ ...text, from: from === "START" ? "START" : "CHECKPOINT" })}
          allowDeselect={false}
        />
        <TextInput
          label="Epochs"
          description="More than before train the model further."
          value={text.epochs}
          error={problems.epochs}
          onChange={(event) => setText({ ...text, epochs: event.currentTarget.value })}
        />
        <TextInput
          label="Time limit in hours"
          value={text.hours}
          error={problems.hours}
          onChange={(event) => setText({ ...text, hours: event.currentTarget.value })}
        />
        {error && <ProblemAlert problem={problemFromGraphql(error)} />}
        <Group justify="flex-end">
          <EditAll jobId={job.id} from={text.from} />
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={fetching} disabled={request === null}>
            Run it
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Leads to the form with the job's own settings, each of which can be changed. */
function EditAll({ jobId, from }: { readonly jobId: string; readonly from: RunAgainText["from"] }) {
  const [{ data, fetching }] = useQuery({ query: checkpointsQuery, variables: { id: jobId } });
  if (fetching) {
    return (
      <Button variant="subtle" loading>
        Change any field
      </Button>
    );
  }
  const checkpoint = from === "CHECKPOINT" ? lastOf(data?.job?.checkpoints ?? []) : undefined;
  const search = { from: jobId, ...(checkpoint === undefined ? { again: true as const } : { checkpoint }) };
  return (
    <Button variant="subtle" renderRoot={(props) => <Link {...props} to="/jobs/new" search={search} />}>
      Change any field
    </Button>
  );
}

function textOf(spec: unknown): RunAgainText {
  const { train, resources } = (spec ?? {}) as {
    readonly train?: { readonly epochs?: number };
    readonly resources?: { readonly maxDuration?: string };
  };
  const hours = hoursOf(resources?.maxDuration) ?? 2;
  return { from: "CHECKPOINT", epochs: String(train?.epochs ?? ""), hours: String(hours) };
}
