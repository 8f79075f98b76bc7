import { Button, Group, Text } from "@mantine/core";
import type { JobSettings } from "../../hooks/use-job-form.ts";
import type { SpecChange } from "../../services/spec-changes.ts";
import { Panel } from "../Panel/Panel.tsx";
import classes from "./ChangesPanel.module.css";

/** What is not as the preset has it, each with the way back. */
export function ChangesPanel({ settings }: { readonly settings: JobSettings }) {
  const { changes, started, reset } = settings;
  if (changes.length === 0) return null;
  return (
    <Panel title={`Changed since “${started.title}”`}>
      <ul className={classes.list} aria-label="Changes to the preset">
        {changes.map((change) => (
          <li key={change.pointer}>
            <ChangeLine change={change} onReset={() => reset(change)} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function ChangeLine({ change, onReset }: { readonly change: SpecChange; readonly onReset: () => void }) {
  const { label, before, now } = change;
  return (
    <Group justify="space-between" gap="xs" wrap="nowrap">
      <Text size="sm" style={{ overflowWrap: "anywhere" }}>
        {label}: <s>{before}</s> <b>{now}</b>
      </Text>
      <Button
        size="compact-xs"
        variant="default"
        flex="none"
        aria-label={`Reset ${label} to ${before}`}
        onClick={onReset}
      >
        Reset
      </Button>
    </Group>
  );
}
