import { Button } from "@mantine/core";
import { useMutation } from "urql";
import { drainWorkerMutation } from "../../services/documents/workers.ts";

interface DrainButtonProps {
  readonly worker: { readonly id: string; readonly drained: boolean };
  readonly onChanged: () => void;
}

/** Has a worker take no new work, or take it again: either is undone by the other. */
export function DrainButton({ worker: { id, drained }, onChanged }: DrainButtonProps) {
  const [{ fetching }, drain] = useMutation(drainWorkerMutation);
  const toggle = async () => {
    const { data } = await drain({ id, drained: !drained });
    if (data) onChanged();
  };
  return (
    <Button
      size="xs"
      variant="default"
      loading={fetching}
      aria-label={drained ? `Give ${id} work again` : `Drain ${id}`}
      title={drained ? "It takes new work again" : "It takes no new work and finishes the stages that it runs"}
      onClick={() => void toggle()}
    >
      {drained ? "Give it work" : "Drain"}
    </Button>
  );
}
