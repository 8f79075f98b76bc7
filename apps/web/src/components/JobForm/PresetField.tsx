import { Badge, Group, Select, type SelectProps, Text } from "@mantine/core";
import { useState } from "react";
import type { JobSettings } from "../../hooks/use-job-form.ts";
import type { Preset } from "../../services/presets.ts";
import { ConfirmDialog } from "../ConfirmDialog/ConfirmDialog.tsx";

/**
 * The preset that the form starts from, with the reason for the proposed one. What was changed by hand is replaced only
 * after a question.
 */
export function PresetField({ settings }: { readonly settings: JobSettings }) {
  const { proposal: known, chosen, started, start, edited } = settings;
  const [asked, setAsked] = useState<Preset | null>(null);
  const proposal = known?.dataset === chosen.id ? known : null;
  const proposed = proposal?.preset;
  const all = proposal && proposed ? [proposed, ...proposal.others] : [started];
  const choose = (name: string | null) => {
    const preset = all.find((one) => one.name === name);
    if (!preset || preset.name === started.name) return;
    if (edited.length > 0) setAsked(preset);
    else start(preset);
  };
  return (
    <div>
      <Select
        label="Preset"
        data={groupsOf(all, started, proposed)}
        value={started.name}
        onChange={choose}
        allowDeselect={false}
        searchable
        maxDropdownHeight={360}
        renderOption={optionOf(all, proposed)}
        rightSection={started.name === proposed?.name ? <ProposedBadge /> : undefined}
        rightSectionWidth={started.name === proposed?.name ? 96 : undefined}
        rightSectionPointerEvents="none"
      />
      <Text size="sm" mt={6} maw={760}>
        {started.summary}
      </Text>
      <Text size="sm" c="dimmed" mt={4} role="note" aria-label="Reason for the proposal" maw={760}>
        {proposal ? `Proposed is “${proposal.preset.title}”: ${proposal.reason}` : "Looking at the graph's figures…"}
      </Text>
      <ConfirmDialog
        opened={asked !== null}
        onClose={() => setAsked(null)}
        title="Replace what you changed?"
        error={undefined}
        isBusy={false}
        keep="Keep my changes"
        confirm="Replace"
        onConfirm={() => {
          if (asked) start(asked);
          setAsked(null);
        }}
      >
        “{asked?.title}” sets {edited.join(", ")} anew; what you changed there since “{started.title}” is lost.
      </ConfirmDialog>
    </div>
  );
}

/** What suits the graph first; the rest stand apart, below. The one in use is always among them. */
function groupsOf(all: readonly Preset[], started: Preset, proposed: Preset | undefined) {
  const listed = all.some(({ name }) => name === started.name) ? all : [...all, started];
  const isSuited = ({ situation }: Preset) => situation === proposed?.situation;
  const items = (presets: readonly Preset[]) => presets.map(({ name, title }) => ({ value: name, label: title }));
  if (!proposed) return items(listed);
  return [
    { group: "For graphs like this one", items: items(listed.filter(isSuited)) },
    { group: "Presets for other graphs", items: items(listed.filter((preset) => !isSuited(preset))) },
  ];
}

function optionOf(all: readonly Preset[], proposed: Preset | undefined): NonNullable<SelectProps["renderOption"]> {
  return ({ option }) => (
    <div>
      <Group gap={8} wrap="nowrap">
        <Text size="sm" fw={600}>
          {option.label}
        </Text>
        {option.value === proposed?.name && <ProposedBadge />}
      </Group>
      <Text size="xs">{all.find(({ name }) => name === option.value)?.summary}</Text>
    </div>
  );
}

function ProposedBadge() {
  return (
    <Badge size="sm" variant="light" flex="none">
      Proposed
    </Badge>
  );
}
