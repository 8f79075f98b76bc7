import { Badge, Group, SimpleGrid, Text, UnstyledButton } from "@mantine/core";
import { useState } from "react";
import type { Preset, Proposal } from "../../services/presets.ts";
import { ConfirmDialog } from "../ConfirmDialog/ConfirmDialog.tsx";
import { Panel } from "../Panel/Panel.tsx";
import classes from "./PresetPanel.module.css";

interface PresetPanelProps {
  /** null: not known yet */
  readonly proposal: Proposal | null;
  /** What the form started from */
  readonly started: Preset;
  /** Sections that were changed since */
  readonly edited: readonly string[];
  readonly onStart: (preset: Preset) => void;
}

/** The proposed preset with its reason, and the others; what was changed by hand is replaced only after a question. */
export function PresetPanel({ proposal, started, edited, onStart }: PresetPanelProps) {
  const [asked, setAsked] = useState<Preset | null>(null);
  const choose = (preset: Preset) => (edited.length > 0 ? setAsked(preset) : onStart(preset));
  const all = proposal ? [proposal.preset, ...proposal.others] : [];
  const isSuited = ({ situation }: Preset) => situation === proposal?.preset.situation;
  const grid = (label: string, presets: readonly Preset[]) => (
    <SimpleGrid cols={{ base: 1, sm: 2 }} role="group" aria-label={label} mt="sm">
      {presets.map((preset) => (
        <PresetButton
          key={preset.name}
          preset={preset}
          isProposed={preset.name === proposal?.preset.name}
          isStarted={preset.name === started.name}
          onClick={() => choose(preset)}
        />
      ))}
    </SimpleGrid>
  );
  return (
    <Panel title="Preset" help="Settings that suit a kind of graph. Everything below can still be changed.">
      <Text size="sm" role="note" aria-label="Reason for the proposal" maw={760}>
        {proposal ? proposal.reason : "Looking at the graph's figures…"}
      </Text>
      {edited.length > 0 && (
        <Text size="sm" c="dimmed" mt={6} role="status" aria-label="Changes to the preset">
          Changed since “{started.title}” was chosen: {edited.join(", ")}.
        </Text>
      )}
      {grid("Presets", all.filter(isSuited))}
      {proposal && (
        <details>
          <summary className={classes.summary}>Presets for other graphs</summary>
          {grid(
            "Presets for other graphs",
            all.filter((preset) => !isSuited(preset)),
          )}
        </details>
      )}
      <ConfirmDialog
        opened={asked !== null}
        onClose={() => setAsked(null)}
        title="Replace what you changed?"
        error={undefined}
        isBusy={false}
        keep="Keep my changes"
        confirm="Replace"
        onConfirm={() => {
          if (asked) onStart(asked);
          setAsked(null);
        }}
      >
        “{asked?.title}” sets {edited.join(", ")} anew; what you changed there since “{started.title}” is lost.
      </ConfirmDialog>
    </Panel>
  );
}

interface PresetButtonProps {
  readonly preset: Preset;
  readonly isProposed: boolean;
  readonly isStarted: boolean;
  readonly onClick: () => void;
}

function PresetButton({ preset, isProposed, isStarted, onClick }: PresetButtonProps) {
  return (
    <UnstyledButton className={classes.preset} aria-pressed={isStarted} onClick={onClick}>
      <Group gap={8} justify="space-between" wrap="nowrap" align="flex-start">
        <Text fw={600} size="sm">
          {preset.title}
        </Text>
        {isProposed && (
          <Badge size="sm" variant="light" flex="none">
            Proposed
          </Badge>
        )}
      </Group>
      <Text size="xs" c="dimmed">
        {preset.summary}
      </Text>
    </UnstyledButton>
  );
}
