import { Button, Group, Modal, Stack, Text, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { useMutation } from "urql";
import { keepModelMutation } from "../../services/documents/models.ts";
import { modelNameOf } from "../../services/model-name.ts";
import { problemFromGraphql } from "../../services/problem.ts";
import { ProblemAlert } from "../ProblemAlert/ProblemAlert.tsx";

interface KeepModelProps {
  readonly job: { readonly id: string; readonly name: string };
}

/** The model of a job, kept under a name to be applied to other data. */
export function KeepModel({ job }: KeepModelProps) {
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <Button variant="default" onClick={open}>
        Keep the model
      </Button>
      <Modal opened={opened} onClose={close} title="Keep this model" centered>
        <KeepModelForm job={job} onCancel={close} />
      </Modal>
    </>
  );
}

function KeepModelForm({ job, onCancel }: KeepModelProps & { readonly onCancel: () => void }) {
  const navigate = useNavigate();
  const [{ fetching, error }, keep] = useMutation(keepModelMutation);
  const [name, setName] = useState(() => modelNameOf(job.name));
  const [note, setNote] = useState("");
  const send = async (event: FormEvent) => {
    event.preventDefault();
    const { data } = await keep({ name: name.trim(), job: job.id, note });
    if (data) await navigate({ to: "/models/$versionId", params: { versionId: data.keepModel.id } });
  };
  return (
    <form onSubmit={(event) => void send(event)}>
      <Stack>
        <Text size="sm">It stays when the job is deleted. A name that is there already gets another version.</Text>
        <TextInput
          label="Name"
          description="Letters, digits, dots, dashes and underscores"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          data-autofocus
        />
        <TextInput label="Note" value={note} onChange={(event) => setNote(event.currentTarget.value)} />
        {error && <ProblemAlert problem={problemFromGraphql(error)} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={fetching} disabled={name.trim() === ""}>
            Keep it
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
