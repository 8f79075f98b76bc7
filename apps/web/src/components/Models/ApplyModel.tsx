import { Button, Modal } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { ApplyModelForm } from "./ApplyModelForm.tsx";
import type { TrainedOn } from "./trained-on-words.ts";

export interface ApplyModelProps {
  readonly version: TrainedOn & {
    readonly id: string;
    /** name@number */
    readonly ref: string;
  };
}

/** A model applied to a dataset: the newest version of its own, or another of the same columns. */
export function ApplyModel({ version }: ApplyModelProps) {
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <Button onClick={open} aria-label={`Apply ${version.ref}`}>
        Apply
      </Button>
      <Modal opened={opened} onClose={close} title={`Apply ${version.ref}`} centered>
        <ApplyModelForm version={version} onCancel={close} />
      </Modal>
    </>
  );
}
