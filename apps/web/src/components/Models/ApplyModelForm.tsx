import { Button, Group, NumberInput, Select, Stack, Text } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { useMutation, useQuery } from "urql";
import { modelCardQuery } from "../../services/documents/models.ts";
import { readyDatasetsQuery, submitJobMutation } from "../../services/documents/new-job.ts";
import { keepFromSending } from "../../services/keep-from-sending.ts";
import { problemFromGraphql } from "../../services/problem.ts";
import { ProblemAlert } from "../ProblemAlert/ProblemAlert.tsx";
import type { ApplyModelProps } from "./ApplyModel.tsx";
import { trainedOnWords } from "./trained-on-words.ts";

type ApplyModelFormProps = ApplyModelProps & { readonly onCancel: () => void };

/** What a model is applied to, and how many new neighbours a model of links lists of each node. */
export function ApplyModelForm({ version, onCancel }: ApplyModelFormProps) {
  const navigate = useNavigate();
  const [{ data }] = useQuery({ query: readyDatasetsQuery });
  const learntNeighbors = useLearntNeighbors(version.id);
  const [neighbors, setNeighbors] = useState<number | string>("");
  const [{ fetching, error }, submit] = useMutation(submitJobMutation);
  // One try is one job, however often the button is pressed before the answer comes.
  const [key] = useState(() => crypto.randomUUID());
  const [own = ""] = version.dataset.split("@");
  const [dataset, setDataset] = useState<string | null>(own);
  const choices = (data?.datasets.edges ?? []).flatMap(({ node: { id, name, newestReady } }) =>
    newestReady ? [{ value: id, label: `${name}, version ${newestReady.number}` }] : [],
  );
  const chosen = choices.some(({ value }) => value === dataset) ? dataset : null;
  const send = async (event: FormEvent) => {
    event.preventDefault();
    const outputs = typeof neighbors === "number" && { outputs: { newNeighbors: neighbors } };
    const spec = { version: 1, kind: "infer", model: version.ref, dataset: chosen, ...outputs };
    const answer = await submit({ spec, idempotencyKey: `${key}/${chosen}/${neighbors}` });
    if (answer.data) await navigate({ to: "/jobs/$jobId", params: { jobId: answer.data.submitJob.id } });
  };
  return (
    <form onSubmit={(event) => void send(event)} onKeyDown={keepFromSending}>
      <Stack>
        <Text size="sm">
          A job computes embeddings and predictions of every node, graph or labelled edge, those that the model has
          never seen too. It was trained on {trainedOnWords(version)}.
        </Text>
        <Select
          label="Dataset"
          description="Its newest version, with the same feature columns"
          data={choices}
          value={chosen}
          onChange={setDataset}
          searchable
        />
        {learntNeighbors !== null && (
          <NumberInput
            label="New neighbours of each node"
            description={`Those likeliest to be joined to it by a link that is not there yet; empty: ${learntNeighbors}, as in its training`}
            value={neighbors}
            onChange={setNeighbors}
            min={0}
            max={100}
            allowDecimal={false}
          />
        )}
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

/** How many new neighbours of each node the training of a model listed; null: it has not learnt links. */
function useLearntNeighbors(versionId: string): number | null {
  const [{ data }] = useQuery({ query: modelCardQuery, variables: { version: versionId } });
  const spec = data?.modelCard.spec as { readonly task?: { readonly newNeighbors?: unknown } } | null | undefined;
  const found = spec?.task?.newNeighbors;
  return typeof found === "number" ? found : null;
}
