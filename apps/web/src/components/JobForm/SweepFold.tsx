import { Autocomplete, Button, Checkbox, CloseButton, Group, NumberInput, Stack, Text, TextInput } from "@mantine/core";
import type { ReadSweep, SweepAxis, SweepDraft } from "../../services/sweep-draft.ts";
import { Fold } from "./Fold.tsx";

interface SweepFoldProps {
  readonly draft: SweepDraft;
  readonly sweep: ReadSweep;
  /** Fields that can be varied */
  readonly paths: readonly string[];
  readonly onChange: (draft: SweepDraft) => void;
}

/** Fields with several values, and seeds: each combination is a training of its own, and all are started as one. */
export function SweepFold({ draft, sweep, paths, onChange }: SweepFoldProps) {
  const { axes, seeds, searchMinutes } = draft;
  const isSearch = searchMinutes !== null;
  const change = (key: number, next: Partial<SweepAxis>) =>
    onChange({ ...draft, axes: axes.map((axis) => (axis.key === key ? { ...axis, ...next } : axis)) });
  const add = () => {
    const key = 1 + Math.max(0, ...axes.map((axis) => axis.key));
    onChange({ ...draft, axes: [...axes, { key, path: "", values: "" }] });
  };
  const summary = isSearch
    ? `The settings are looked for in ${searchMinutes} minutes`
    : sweep.parts
      ? `${sweep.numJobs} trainings`
      : "Try several values and seeds, or have the settings found";
  return (
    <Fold title="Sweep" summary={summary} isLarge>
      <Stack gap="sm">
        <SearchFields minutes={searchMinutes} onChange={(minutes) => onChange({ ...draft, searchMinutes: minutes })} />
        {!isSearch &&
          axes.map((axis) => (
            <AxisFields
              key={axis.key}
              axis={axis}
              paths={paths}
              onChange={(next) => change(axis.key, next)}
              onRemove={() => onChange({ ...draft, axes: axes.filter(({ key }) => key !== axis.key) })}
            />
          ))}
        {!isSearch && (
          <Group align="flex-end" gap="sm">
            <TextInput
              label="Seeds"
              description="Each setting is trained once with each, such as 0, 1, 2 or 0-4"
              value={seeds}
              error={sweep.seedsProblem}
              onChange={(event) => onChange({ ...draft, seeds: event.currentTarget.value })}
            />
            <Button variant="default" onClick={add}>
              Vary a field
            </Button>
          </Group>
        )}
        {sweep.parts && !isSearch && (
          <Text size="sm" c="dimmed" role="status">
            {sweep.numJobs} trainings will be started together: each is a job of its own, and the sweep’s page compares
            them.
          </Text>
        )}
      </Stack>
    </Fold>
  );
}

interface SearchFieldsProps {
  readonly minutes: number | null;
  readonly onChange: (minutes: number | null) => void;
}

const usualMinutes = 10;

function SearchFields({ minutes, onChange }: SearchFieldsProps) {
  return (
    <Group align="flex-end" gap="sm">
      <Checkbox
        label="Find model and settings"
        description="Many are tried, the best third is tried again, and the best few of those are trained with five seeds. What was changed by hand stays."
        checked={minutes !== null}
        onChange={(event) => onChange(event.currentTarget.checked ? usualMinutes : null)}
        style={{ flex: "1 1 320px" }}
      />
      {minutes !== null && (
        <NumberInput
          label="Minutes"
          min={1}
          max={10_000}
          allowDecimal={false}
          w={120}
          value={minutes}
          onChange={(value) => onChange(Math.max(1, Number(value) || usualMinutes))}
        />
      )}
    </Group>
  );
}

interface AxisFieldsProps {
  readonly axis: SweepAxis;
  readonly paths: readonly string[];
  readonly onChange: (next: Partial<SweepAxis>) => void;
  readonly onRemove: () => void;
}

function AxisFields({ axis, paths, onChange, onRemove }: AxisFieldsProps) {
  return (
    <Group align="flex-end" gap="sm" wrap="nowrap">
      <Autocomplete
        label="Field"
        placeholder="train.optimizer.options.lr"
        style={{ flex: 1 }}
        data={[...paths]}
        limit={12}
        value={axis.path}
        onChange={(path) => onChange({ path })}
      />
      <TextInput
        label="Values"
        placeholder="0.01, 0.003"
        style={{ flex: 1 }}
        value={axis.values}
        onChange={(event) => onChange({ values: event.currentTarget.value })}
      />
      <CloseButton aria-label={`Do not vary ${axis.path || "this field"}`} onClick={onRemove} />
    </Group>
  );
}
