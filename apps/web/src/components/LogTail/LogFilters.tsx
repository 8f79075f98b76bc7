import { Select, TextInput } from "@mantine/core";
import { type LogFilter, logLevels, memberLabel } from "../../services/log-filter.ts";

const allRanks = "all ranks";

interface LogFiltersProps {
  readonly filter: LogFilter;
  readonly onChange: (filter: LogFilter) => void;
  /** Names of the ranks and sampler processes that have written something */
  readonly members: readonly string[];
}

/** Which lines of a log are shown: by level, by who wrote them, by their text. */
export function LogFilters({ filter, onChange, members }: LogFiltersProps) {
  return (
    <>
      <Select
        label="Level"
        size="xs"
        w={150}
        data={logLevels.map((value) => ({ value, label: `${value} and above` }))}
        value={filter.level}
        onChange={(value) => onChange({ ...filter, level: logLevels.find((one) => one === value) ?? "info" })}
        allowDeselect={false}
      />
      <Select
        label="Rank"
        size="xs"
        w={110}
        data={[allRanks, ...members.map((value) => ({ value, label: memberLabel(value) }))]}
        value={filter.member ?? allRanks}
        onChange={(value) => onChange({ ...filter, member: value === allRanks ? null : value })}
        allowDeselect={false}
      />
      <TextInput
        label="Search"
        size="xs"
        w={220}
        placeholder="text, epoch 7, train"
        value={filter.search}
        onChange={(event) => onChange({ ...filter, search: event.currentTarget.value })}
      />
    </>
  );
}
