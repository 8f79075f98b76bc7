import type { JobSnapshot } from "./job-state.ts";

type JobLog = JobSnapshot["logs"];
type LogLine = JobLog["lines"][number];

/** More than this the page does not hold: the oldest go as new ones come, and no earlier ones are offered. */
export const keptLogLines = 5000;

/** The log after one more line. */
export function withLaterLine(log: JobLog, line: LogLine): JobLog {
  const lines = [...log.lines, line];
  if (lines.length <= keptLogLines) return { ...log, lines };
  return { lines: lines.slice(-keptLogLines), hasPreviousPage: true };
}

/**
 * The known log with a fresh tail of it. Where the two do not meet, lines in between are unknown: the tail alone is
 * kept.
 */
export function withTail(known: JobLog, tail: JobLog): JobLog {
  const first = tail.lines.at(0);
  const at = first ? known.lines.findIndex(({ cursor }) => cursor === first.cursor) : -1;
  if (at < 0) return tail;
  return { lines: [...known.lines.slice(0, at), ...tail.lines], hasPreviousPage: known.hasPreviousPage };
}

/** The known log with the page before its first line. */
export function withEarlierPage(known: JobLog, page: JobLog): JobLog {
  const first = known.lines.at(0);
  const isBefore = (line: LogLine) => first === undefined || Number(line.cursor) < Number(first.cursor);
  return { lines: [...page.lines.filter(isBefore), ...known.lines], hasPreviousPage: page.hasPreviousPage };
}
