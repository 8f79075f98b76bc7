import { Button, Modal, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useMutation } from "urql";
import { keepModelMutation } from "../../services/documents/models.ts";
import { modelNameOf } from "../../services/model-name.ts";
import { KeepForm } from "./KeepForm.tsx";

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
  const send = async () => {
    const { data } = await keep({ name: name.trim(), job: job.id, note });
    if (data) await navigate({ to: "/models/$versionId", params: { versionId: data.keepModel.id } });
  };
  return (
    <KeepForm
      intro="It stays when the job is deleted. A name that is there already gets another version."
      name={name}
      onName={setName}
      error={error}
      isSending={fetching}
      onSend={send}
      onCancel={onCancel}
    >
      <TextInput label="Note" value={note} onChange={(event) => setNote(event.currentTarget.value)} />
    </KeepForm>
  );
}
