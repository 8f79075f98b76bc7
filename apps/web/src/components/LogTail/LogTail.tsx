import { Button, Checkbox, Group, Text } from "@mantine/core";
import { useState } from "react";
import { useLogScroll } from "../../hooks/use-log-scroll.ts";
import { formatClock, formatFields } from "../../services/format.ts";
import { type LogFilter, type LogLine, memberOrder, passesFilter } from "../../services/log-filter.ts";
import { LogFilters } from "./LogFilters.tsx";
import classes from "./LogTail.module.css";

interface LogTailProps {
  readonly lines: readonly LogLine[];
  /** Whether the job has ended: no line will follow. */
  readonly isOver: boolean;
  /** Asks for lines before these; left out when there are none or the page holds no more. */
  readonly onEarlier?: (() => Promise<unknown>) | undefined;
  readonly stageName: (index: number | null | undefined) => string;
}

/**
 * The newest log lines of all ranks and earlier ones when asked, filtered as chosen; follows the end until the reader
 * scrolls up.
 */
export function LogTail({ lines, isOver, onEarlier, stageName }: LogTailProps) {
  const [filter, setFilter] = useState<LogFilter>({ level: "info", member: null, search: "" });
  const shown = lines.filter((line) => passesFilter(line, stageName(line.stageIndex), filter));
  const { boxRef, follow, setFollow, onScroll, isLoading, showEarlier } = useLogScroll(shown, onEarlier);
  const members = [...new Set(lines.map((line) => line.member))].toSorted(memberOrder);
  return (
    <>
      <Group gap="sm" align="flex-end">
        <LogFilters filter={filter} onChange={setFilter} members={members} />
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
        onScroll={onScroll}
        tabIndex={0}
      >
        {onEarlier && (
          <Button size="compact-xs" variant="subtle" ml={12} loading={isLoading} onClick={() => void showEarlier()}>
            Earlier lines
          </Button>
        )}
        {shown.length === 0 && (
          <Text size="sm" c="dimmed" p="sm">
            {emptyText(lines.length, isOver)}
          </Text>
        )}
        {shown.map((line) => (
          <Line key={line.cursor} line={line} stage={stageName(line.stageIndex)} />
        ))}
      </div>
    </>
  );
}

function emptyText(numLines: number, isOver: boolean): string {
  if (numLines > 0) return "No line fits the filter.";
  return isOver ? "It ended without a line in its log." : "Nothing has been logged yet.";
}

function Line({ line, stage }: { readonly line: LogLine; readonly stage: string }) {
  return (
    <div className={classes.line} data-level={line.level}>
      <span className={classes.time}>{formatClock(line.at)}</span>
      <span className={classes.source}>
        {stage} · {line.member}
      </span>
      <span className={classes.message}>
        {line.message} <span className={classes.fields}>{formatFields(line.fields)}</span>
      </span>
    </div>
  );
}
