import { Button, FileButton, Group, Modal, Stack, Text, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useModelUpload } from "../../hooks/use-model-upload.ts";
import { formatBytes } from "../../services/format.ts";
import { ProblemAlert } from "../ProblemAlert/ProblemAlert.tsx";

/** Brings a model that was trained elsewhere. */
export function UploadModel() {
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <Button variant="default" onClick={open}>
        Upload a model
      </Button>
      <Modal opened={opened} onClose={close} title="Upload a model" centered>
        <UploadForm />
      </Modal>
    </>
  );
}

function UploadForm() {
  const navigate = useNavigate();
  const [files, setFiles] = useState<readonly File[]>([]);
  const [name, setName] = useState("");
  const [note, setNote] = useState("");
  const { send, stop, isSending, status, problem } = useModelUpload();
  const submit = async () => {
    const jobId = await send({ name: name.trim(), note, files });
    if (jobId !== null) await navigate({ to: "/jobs/$jobId", params: { jobId } });
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <Stack>
        <Text size="sm">
          The files of a downloaded model: card.json, model.safetensors and what else there is. A job looks whether the
          weights are those of the card; then they are the next version of this name.
        </Text>
        <ChosenFiles files={files} isSending={isSending} onChoose={setFiles} />
        <TextInput
          label="Name"
          description="Letters, digits, dots, dashes and underscores"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <TextInput label="Note" value={note} onChange={(event) => setNote(event.currentTarget.value)} />
        {status !== null && (
          <Text size="sm" role="status">
            {status}
          </Text>
        )}
        {problem && <ProblemAlert problem={problem} />}
        <Group justify="flex-end">
          {isSending && (
            <Button variant="default" onClick={stop}>
              Stop
            </Button>
          )}
          <Button type="submit" loading={isSending} disabled={name.trim() === "" || files.length === 0}>
            Upload it
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface ChosenFilesProps {
  readonly files: readonly File[];
  readonly isSending: boolean;
  readonly onChoose: (files: readonly File[]) => void;
}

function ChosenFiles({ files, isSending, onChoose }: ChosenFilesProps) {
  return (
    <Stack gap="xs">
      <FileButton multiple disabled={isSending} onChange={onChoose}>
        {(props) => (
          <Button {...props} variant="default" disabled={isSending}>
            Choose files
          </Button>
        )}
      </FileButton>
      {files.map((file) => (
        <Text key={file.name} size="sm" className="num">
          {file.name}, {formatBytes(file.size)}
        </Text>
      ))}
    </Stack>
  );
}
