import { Button, Checkbox, Popover, Stack } from "@mantine/core";
import { type JobColumnKey, jobColumns } from "../../services/job-columns.ts";

interface ColumnChoiceProps {
  readonly shown: readonly JobColumnKey[];
  readonly onChange: (shown: readonly JobColumnKey[]) => void;
}

/** Which columns the list of jobs has. */
export function ColumnChoice({ shown, onChange }: ColumnChoiceProps) {
  const toggle = (key: JobColumnKey) =>
    onChange(shown.includes(key) ? shown.filter((one) => one !== key) : [...shown, key]);
  return (
    <Popover position="bottom-end" trapFocus returnFocus>
      <Popover.Target>
        <Button variant="default" size="xs">
          Columns
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="xs" role="group" aria-label="Columns">
          {jobColumns.map(({ key, label }) => (
            <Checkbox key={key} size="xs" label={label} checked={shown.includes(key)} onChange={() => toggle(key)} />
          ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
