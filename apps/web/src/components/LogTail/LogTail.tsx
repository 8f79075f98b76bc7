import { Button, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { formatClock, formatFields } from "../../services/format.ts";
import { saveWholeLog } from "../../services/log-file.ts";
import { type LogLine, memberOrder, passesFilter } from "../../services/log-filter.ts";
import { LogControls, type LogLook } from "./LogControls.tsx";
import classes from "./LogTail.module.css";
import { useLogScrolling } from "./use-log-scrolling.ts";

interface LogTailProps {
  readonly jobId: string;
  readonly lines: readonly LogLine[];
  /** Whether the job has ended: no line will follow. */
  readonly isOver: boolean;
  /** Asks for lines before these; left out when there are none or the page holds no more. */
  readonly onEarlier?: (() => Promise<unknown>) | undefined;
  readonly stageName: (index: number | null | undefined) => string;
  /** Cursor of the line that the page's address points at */
  readonly pointedLine?: number | undefined;
}

/**
 * The newest log lines of all ranks and earlier ones when asked, filtered as chosen; follows the end until the reader
 * scrolls up, and shows a line that the address points at.
 */
export function LogTail({ jobId, lines, isOver, onEarlier, stageName, pointedLine }: LogTailProps) {
  const [look, setLook] = useState<LogLook>({
    level: pointedLine === undefined ? "info" : "debug",
    member: null,
    search: "",
    isPattern: false,
    follows: pointedLine === undefined,
    wraps: true,
  });
  const shown = lines.filter((line) => passesFilter(line, stageName(line.stageIndex), look));
  const { boxRef, isLoading, showEarlier, onScroll } = useLogScrolling({ shown, look, setLook, onEarlier });
  usePointedLine({ lines, pointedLine, onEarlier });
  const [isDownloading, setDownloading] = useState(false);
  const download = async () => {
    setDownloading(true);
    await saveWholeLog(jobId, stageName).finally(() => setDownloading(false));
  };
  return (
    <>
      <LogControls
        look={look}
        onLook={setLook}
        members={[...new Set(lines.map((line) => line.member))].toSorted(memberOrder)}
        onDownload={download}
        isDownloading={isDownloading}
      >
        {shown.length} of {lines.length} lines
      </LogControls>
      <div
        ref={boxRef}
        className={classes.box}
        data-empty={shown.length === 0}
        data-wraps={look.wraps}
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
        {shown.map((line) => {
          const isPointed = Number(line.cursor) === pointedLine;
          return <Line key={line.cursor} {...{ jobId, line, isPointed }} stage={stageName(line.stageIndex)} />;
        })}
      </div>
    </>
  );
}

function emptyText(numLines: number, isOver: boolean): string {
  if (numLines > 0) return "No line fits the filter.";
  return isOver ? "It ended without a line in its log." : "Nothing has been logged yet.";
}

interface LineProps {
  readonly jobId: string;
  readonly line: LogLine;
  readonly stage: string;
  readonly isPointed: boolean;
}

function Line({ jobId, line, stage, isPointed }: LineProps) {
  return (
    <div className={classes.line} data-level={line.level} data-pointed={isPointed} id={lineId(line.cursor)}>
      <Link
        className={classes.time}
        to="/jobs/$jobId"
        params={{ jobId }}
        search={{ tab: "log", line: Number(line.cursor) }}
        title="Link to this line"
        resetScroll={false}
        replace
      >
        {formatClock(line.at)}
      </Link>
      <span className={classes.source}>
        {stage} · {line.member}
      </span>
      <span className={classes.message}>
        {line.message} <span className={classes.fields}>{formatFields(line.fields)}</span>
      </span>
    </div>
  );
}

function lineId(cursor: string | number): string {
  return `line-${cursor}`;
}

type Pointing = Pick<LogTailProps, "lines" | "pointedLine" | "onEarlier">;

/** Brings earlier lines until the one that the address points at is there, and scrolls to it once. */
function usePointedLine({ lines, pointedLine, onEarlier }: Pointing): void {
  const first = Number(lines.at(0)?.cursor ?? 0);
  const isThere = pointedLine !== undefined && lines.some(({ cursor }) => Number(cursor) === pointedLine);
  const askedBefore = useRef(Number.POSITIVE_INFINITY);
  useEffect(() => {
    if (pointedLine === undefined || isThere || first <= pointedLine || askedBefore.current <= first) return;
    askedBefore.current = first;
    void onEarlier?.();
  }, [pointedLine, isThere, first, onEarlier]);
  useEffect(() => {
    if (isThere) document.getElementById(lineId(pointedLine))?.scrollIntoView({ block: "center" });
  }, [isThere, pointedLine]);
}
