import { Button, Checkbox, Modal } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useMutation } from "urql";
import { promoteSweepMutation } from "../../services/documents/sweeps.ts";
import { modelNameOf } from "../../services/model-name.ts";
import { KeepForm } from "../Models/KeepForm.tsx";

interface PromoteBestProps {
  readonly sweep: { readonly id: string; readonly name: string };
  /** Why it is the best */
  readonly reason: string;
}

/** The model of the best setting, kept under a name. */
export function PromoteBest(props: PromoteBestProps) {
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <Button onClick={open}>Keep the best</Button>
      <Modal opened={opened} onClose={close} title="Keep the best model" centered>
        <PromoteForm {...props} onCancel={close} />
      </Modal>
    </>
  );
}

function PromoteForm({ sweep, reason, onCancel }: PromoteBestProps & { readonly onCancel: () => void }) {
  const navigate = useNavigate();
  const [{ fetching, error }, promote] = useMutation(promoteSweepMutation);
  const [name, setName] = useState(() => modelNameOf(sweep.name));
  const [isProduction, setIsProduction] = useState(false);
  const send = async () => {
    const stage = isProduction ? "PRODUCTION" : "CANDIDATE";
    const { data } = await promote({ id: sweep.id, name: name.trim(), stage });
    if (data) await navigate({ to: "/models/$versionId", params: { versionId: data.promoteSweep.id } });
  };
  return (
    <KeepForm
      intro={reason}
      name={name}
      onName={setName}
      error={error}
      isSending={fetching}
      onSend={send}
      onCancel={onCancel}
    >
      <Checkbox
        label="Move it to production"
        checked={isProduction}
        onChange={(event) => setIsProduction(event.currentTarget.checked)}
      />
    </KeepForm>
  );
}
