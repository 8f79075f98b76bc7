import { Button, Group, Modal, Select, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { useMutation, useQuery } from "urql";
import { readyDatasetsQuery, submitJobMutation } from "../../services/documents/new-job.ts";
import { keepFromSending } from "../../services/keep-from-sending.ts";
import { problemFromGraphql } from "../../services/problem.ts";
import { ProblemAlert } from "../ProblemAlert/ProblemAlert.tsx";

interface ApplyModelProps {
  /** name@number */
  readonly model: string;
  /** The dataset version that it was trained on, id@number */
  readonly trainedOn: string;
}

/** A model applied to a dataset: the newest version of its own, or another of the same columns. */
export function ApplyModel({ model, trainedOn }: ApplyModelProps) {
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <Button onClick={open} aria-label={`Apply ${model}`}>
        Apply
      </Button>
      <Modal opened={opened} onClose={close} title={`Apply ${model}`} centered>
        <ApplyModelForm model={model} trainedOn={trainedOn} onCancel={close} />
      </Modal>
    </>
  );
}

function ApplyModelForm({ model, trainedOn, onCancel }: ApplyModelProps & { readonly onCancel: () => void }) {
  const navigate = useNavigate();
  const [{ data }] = useQuery({ query: readyDatasetsQuery });
  const [{ fetching, error }, submit] = useMutation(submitJobMutation);
  // One try is one job, however often the button is pressed before the answer comes.
  const [key] = useState(() => crypto.randomUUID());
  const [own = ""] = trainedOn.split("@");
  const [dataset, setDataset] = useState<string | null>(own);
  const choices = (data?.datasets.edges ?? []).flatMap(({ node: { id, name, newestReady } }) =>
    newestReady ? [{ value: id, label: `${name}, version ${newestReady.number}` }] : [],
  );
  const chosen = choices.some(({ value }) => value === dataset) ? dataset : null;
  const send = async (event: FormEvent) => {
    event.preventDefault();
    const spec = { version: 1, kind: "infer", model, dataset: chosen };
    const answer = await submit({ spec, idempotencyKey: `${key}/${chosen}` });
    if (answer.data) await navigate({ to: "/jobs/$jobId", params: { jobId: answer.data.submitJob.id } });
  };
  return (
    <form onSubmit={(event) => void send(event)} onKeyDown={keepFromSending}>
      <Stack>
        <Text size="sm">
          A job computes embeddings and predictions of every node, graph or labelled edge, those that the model has
          never seen too. It was trained on {trainedOn}.
        </Text>
        <Select
          label="Dataset"
          description="Its newest version, with the same feature columns"
          data={choices}
          value={chosen}
          onChange={setDataset}
          searchable
        />
        {error && <ProblemAlert problem={problemFromGraphql(error)} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={fetching} disabled={chosen === null}>
            Apply it
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
