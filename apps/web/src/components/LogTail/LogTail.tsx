import { Button, Checkbox, Group, Select, Text, TextInput } from "@mantine/core";
import { type UIEvent, useEffect, useLayoutEffect, useRef, useState } from "react";
import { formatClock, formatFields } from "../../services/format.ts";
import {
  type LogLevel,
  type LogLine,
  logLevels,
  memberLabel,
  memberOrder,
  passesFilter,
} from "../../services/log-filter.ts";
import classes from "./LogTail.module.css";

const allRanks = "all ranks";
const lineHeight = 18;

interface LogTailProps {
  readonly lines: readonly LogLine[];
  /** Asks for lines before these; left out when there are none or the page holds no more. */
  readonly onEarlier?: (() => Promise<unknown>) | undefined;
  readonly stageName: (index: number | null | undefined) => string;
}

/**
 * The newest log lines of all ranks and earlier ones when asked, filtered as chosen; follows the end until the reader
 * scrolls up.
 */
export function LogTail({ lines, onEarlier, stageName }: LogTailProps) {
  const [level, setLevel] = useState<LogLevel>("info");
  const [member, setMember] = useState(allRanks);
  const [search, setSearch] = useState("");
  const [follow, setFollow] = useState(true);
  const boxRef = useRef<HTMLDivElement>(null);
  const members = [...new Set(lines.map((line) => line.member))].toSorted(memberOrder);
  const filter = { level, member: member === allRanks ? null : member, search };
  const shown = lines.filter((line) => passesFilter(line, stageName(line.stageIndex), filter));
  const first = shown.at(0)?.cursor;
  const last = shown.at(-1)?.cursor;
  useEffect(() => {
    if (follow && boxRef.current && last !== undefined) boxRef.current.scrollTop = boxRef.current.scrollHeight;
  }, [follow, last]);

  // Lines that come in above must not move those that are being read.
  const heightBefore = useRef<number | null>(null);
  useLayoutEffect(() => {
    if (heightBefore.current !== null && boxRef.current && first !== undefined) {
      boxRef.current.scrollTop += boxRef.current.scrollHeight - heightBefore.current;
    }
    heightBefore.current = null;
  }, [first]);
  const [isLoading, setLoading] = useState(false);
  const showEarlier = async () => {
    setFollow(false);
    setLoading(true);
    heightBefore.current = boxRef.current?.scrollHeight ?? null;
    await onEarlier?.();
    setLoading(false);
  };

  const onScroll = ({ currentTarget: box }: UIEvent<HTMLDivElement>) => {
    setFollow(box.scrollHeight - box.scrollTop - box.clientHeight < 2 * lineHeight);
  };

  return (
    <>
      <Group gap="sm" align="flex-end">
        <Select
          label="Level"
          size="xs"
          w={150}
          data={logLevels.map((value) => ({ value, label: `${value} and above` }))}
          value={level}
          onChange={(value) => setLevel(logLevels.find((one) => one === value) ?? "info")}
          allowDeselect={false}
        />
        <Select
          label="Rank"
          size="xs"
          w={110}
          data={[allRanks, ...members.map((value) => ({ value, label: memberLabel(value) }))]}
          value={member}
          onChange={(value) => setMember(value ?? allRanks)}
          allowDeselect={false}
        />
        <TextInput
          label="Search"
          size="xs"
          w={220}
          placeholder="text, epoch 7, train"
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
            {lines.length === 0 ? "Nothing has been logged yet." : "No line fits the filter."}
          </Text>
        )}
        {shown.map((line) => (
          <div key={line.cursor} className={classes.line} data-level={line.level}>
            <span className={classes.time}>{formatClock(line.at)}</span>
            <span className={classes.source}>
              {stageName(line.stageIndex)} · {line.member}
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
