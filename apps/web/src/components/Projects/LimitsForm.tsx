import { Button, Group, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { useMutation } from "urql";
import { setProjectLimitsMutation } from "../../services/documents/projects.ts";
import { problemFromGraphql } from "../../services/problem.ts";
import { limitOf } from "../../services/use-span.ts";
import { Panel } from "../Panel/Panel.tsx";
import { ProblemAlert } from "../ProblemAlert/ProblemAlert.tsx";
import type { LimitedProject } from "./ProjectTable.tsx";

const fields = [
  { name: "slots", label: "Slots held at once" },
  { name: "devices", label: "Devices held at once" },
  { name: "waitingJobs", label: "Jobs waiting at once" },
  { name: "monthlyRankHours", label: "Rank hours a month" },
] as const;

interface LimitsFormProps {
  readonly project: LimitedProject;
  readonly onSaved: () => void;
  readonly onDone: () => void;
}

/** What a project may hold, have waiting and use; an empty field sets no limit. */
export function LimitsForm({ project: { id, name, limits }, onSaved, onDone }: LimitsFormProps) {
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(fields.map((field) => [field.name, limits[field.name]?.toString() ?? ""])),
  );
  const [{ fetching, error }, save] = useMutation(setProjectLimitsMutation);
  const values = fields.map((field) => [field.name, limitOf(typed[field.name] ?? "")] as const);
  const isReady = values.every(([, value]) => value !== undefined);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const { data } = await save({ id, limits: Object.fromEntries(values) });
    if (!data) return;
    onSaved();
    onDone();
  };
  return (
    <Panel
      title={`Limits of ${name}`}
      help="An empty field sets no limit. What runs goes on; what waits says which limit it waits for."
    >
      <form onSubmit={(event) => void submit(event)}>
        <Group align="flex-end">
          {fields.map((field) => (
            <TextInput
              key={field.name}
              label={field.label}
              inputMode="decimal"
              w={170}
              value={typed[field.name] ?? ""}
              error={limitOf(typed[field.name] ?? "") === undefined && "Expected a number"}
              onChange={(event) => {
                const { value } = event.currentTarget;
                setTyped((before) => ({ ...before, [field.name]: value }));
              }}
            />
          ))}
          <Button type="submit" loading={fetching} disabled={!isReady}>
            Set the limits
          </Button>
          <Button variant="default" onClick={onDone}>
            Leave them
          </Button>
        </Group>
      </form>
      {error && <ProblemAlert problem={problemFromGraphql(error)} />}
    </Panel>
  );
}
