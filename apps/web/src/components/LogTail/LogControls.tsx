import { Button, Checkbox, Group, Select, Text, TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import { type LogFilter, logLevels, memberLabel, searchProblem } from "../../services/log-filter.ts";

const allRanks = "all ranks";

/** How the lines of a log are looked at. */
export interface LogLook extends LogFilter {
  readonly follows: boolean;
  readonly wraps: boolean;
}

interface LogControlsProps {
  readonly look: LogLook;
  readonly onLook: (look: LogLook) => void;
  /** Who writes it; left out: one process alone. */
  readonly members?: readonly string[];
  readonly onDownload: () => Promise<unknown>;
  readonly isDownloading: boolean;
  readonly children: ReactNode;
}

/** What is shown of a log, and how. */
export function LogControls({ look, onLook, members, onDownload, isDownloading, children }: LogControlsProps) {
  return (
    <Group gap="sm" align="flex-end">
      <Select
        label="Level"
        size="xs"
        w={150}
        data={logLevels.map((value) => ({ value, label: `${value} and above` }))}
        value={look.level}
        onChange={(value) => onLook({ ...look, level: logLevels.find((one) => one === value) ?? "info" })}
        allowDeselect={false}
      />
      {members && (
        <Select
          label="Rank"
          size="xs"
          w={110}
          data={[allRanks, ...members.map((value) => ({ value, label: memberLabel(value) }))]}
          value={look.member ?? allRanks}
          onChange={(value) => onLook({ ...look, member: value === allRanks ? null : value })}
          allowDeselect={false}
        />
      )}
      <TextInput
        label="Search"
        size="xs"
        w={220}
        placeholder={look.isPattern ? "epoch \\d+, ^Rank" : "text, epoch 7, train"}
        value={look.search}
        maxLength={200}
        error={searchProblem(look)}
        onChange={(event) => onLook({ ...look, search: event.currentTarget.value })}
      />
      <Choice label="Regex" isOn={look.isPattern ?? false} onChange={(isPattern) => onLook({ ...look, isPattern })} />
      <Choice label="Wrap" isOn={look.wraps} onChange={(wraps) => onLook({ ...look, wraps })} />
      <Choice label="Follow" isOn={look.follows} onChange={(follows) => onLook({ ...look, follows })} />
      <Button size="xs" variant="default" loading={isDownloading} onClick={() => void onDownload()}>
        Download
      </Button>
      <Text size="xs" c="dimmed" pb={6} className="num">
        {children}
      </Text>
    </Group>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}

function Choice({ label, isOn, onChange }: ChoiceProps) {
  return (
    <Checkbox
      label={label}
      size="xs"
      pb={6}
      checked={isOn}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
}
