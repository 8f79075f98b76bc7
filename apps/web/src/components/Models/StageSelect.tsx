import { Select } from "@mantine/core";
import { useMutation } from "urql";
import { changeModelVersionMutation } from "../../services/documents/models.ts";
import type { VariablesOf } from "../../services/graphql.ts";
import { problemFromGraphql } from "../../services/problem.ts";

type Stage = NonNullable<VariablesOf<typeof changeModelVersionMutation>["stage"]>;

const stages: readonly { readonly value: Stage; readonly label: string }[] = [
  { value: "CANDIDATE", label: "Candidate" },
  { value: "PRODUCTION", label: "Production" },
  { value: "ARCHIVED", label: "Archived" },
];

interface StageSelectProps {
  readonly version: { readonly id: string; readonly ref: string; readonly stage: Stage };
  readonly onChanged: () => void;
}

/** Where a version stands. One of a model is in production: promoting another archives it. */
export function StageSelect({ version: { id, ref, stage }, onChanged }: StageSelectProps) {
  const [{ fetching, error }, change] = useMutation(changeModelVersionMutation);
  const move = async (wanted: string | null) => {
    const next = stages.find(({ value }) => value === wanted);
    if (!next) return;
    const { data } = await change({ id, stage: next.value });
    if (data) onChanged();
  };
  return (
    <Select
      aria-label={`Stage of ${ref}`}
      data={stages.map((one) => ({ ...one }))}
      value={stage}
      onChange={(wanted) => void move(wanted)}
      disabled={fetching}
      error={error && problemFromGraphql(error).detail}
      allowDeselect={false}
      size="xs"
      w={130}
    />
  );
}
