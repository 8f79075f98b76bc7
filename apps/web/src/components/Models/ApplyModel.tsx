import { Button, Modal } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { ApplyModelForm } from "./ApplyModelForm.tsx";

export interface ApplyModelProps {
  readonly versionId: string;
  /** name@number */
  readonly model: string;
  /** The dataset version that it was trained on, id@number */
  readonly trainedOn: string;
}

/** A model applied to a dataset: the newest version of its own, or another of the same columns. */
export function ApplyModel(props: ApplyModelProps) {
  const { model } = props;
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <Button onClick={open} aria-label={`Apply ${model}`}>
        Apply
      </Button>
      <Modal opened={opened} onClose={close} title={`Apply ${model}`} centered>
        <ApplyModelForm {...props} onCancel={close} />
      </Modal>
    </>
  );
}
