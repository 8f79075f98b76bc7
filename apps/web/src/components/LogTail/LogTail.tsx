import { Checkbox, Group, Select, Text, TextInput } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { formatClock, formatFields } from "../../services/format.ts";
import type { JobSnapshot } from "../../services/job-state.ts";
import classes from "./LogTail.module.css";

type Line = JobSnapshot["logs"]["lines"][number];
const levels = ["debug", "info", "warn", "error"];

interface LogTailProps {
  readonly lines: readonly Line[];
  readonly stageName: (index: number | null | undefined) => string;
}

/** The newest log lines of all ranks, filtered as typed; follows the end unless told not to. */
export function LogTail({ lines, stageName }: LogTailProps) {
  const [level, setLevel] = useState("info");
  const [search, setSearch] = useState("");
  const [follow, setFollow] = useState(true);
  const boxRef = useRef<HTMLDivElement>(null);
  const wanted = search.trim().toLowerCase();
  const shown = lines.filter(
    (line) =>
      levels.indexOf(line.level) >= levels.indexOf(level) &&
      (wanted === "" ||
        `${line.message} ${formatFields(line.fields)} rank ${line.rank} ${stageName(line.stageIndex)}`
          .toLowerCase()
          .includes(wanted)),
  );
  useEffect(() => {
    if (follow && boxRef.current && shown.length > 0) boxRef.current.scrollTop = boxRef.current.scrollHeight;
  }, [follow, shown.length]);

  return (
    <>
      <Group gap="sm" align="flex-end">
        <Select
          label="Level"
          size="xs"
          w={150}
          data={levels.map((value) => ({ value, label: `${value} and above` }))}
          value={level}
          onChange={(value) => setLevel(value ?? "info")}
          allowDeselect={false}
        />
        <TextInput
          label="Search"
          size="xs"
          w={220}
          placeholder="text, rank 1, train"
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
        <Checkbox
          label="Follow"
          size="xs"
          pb={6}
          checked={follow}
          onChange={(event) => setFollow(event.currentTarget.checked)}
        />
        <Text size="xs" c="dimmed" pb={6} className="num">
          {shown.length} of {lines.length} lines
        </Text>
      </Group>
      <div
        ref={boxRef}
        className={classes.box}
        data-empty={shown.length === 0}
        role="log"
        aria-label="Log"
        tabIndex={0}
      >
        {shown.length === 0 && (
          <Text size="sm" c="dimmed" p="sm">
            {lines.length === 0 ? "Nothing has been logged yet." : "No line fits the filter."}
          </Text>
        )}
        {shown.map((line) => (
          <div key={line.cursor} className={classes.line} data-level={line.level}>
            <span className={classes.time}>{formatClock(line.at)}</span>
            <span className={classes.source}>
              {stageName(line.stageIndex)} · {line.rank}
            </span>
            <span className={classes.message}>
              {line.message} <span className={classes.fields}>{formatFields(line.fields)}</span>
            </span>
          </div>
        ))}
      </div>
    </>
  );
}
