import { formatFields } from "./format.ts";
import type { JobSnapshot } from "./job-state.ts";

export type LogLine = JobSnapshot["logs"]["lines"][number];
export const logLevels = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof logLevels)[number];

export interface LogFilter {
  /** This level and those above it. */
  readonly level: LogLevel;
  /** null: all ranks */
  readonly rank: number | null;
  /** Part of what a line shows, in any case. */
  readonly search: string;
}

/** Whether a line passes the filter; `stage` is the name of its stage. */
export function passesFilter(line: LogLine, stage: string, { level, rank, search }: LogFilter): boolean {
  if (logLevels.indexOf(line.level as LogLevel) < logLevels.indexOf(level)) return false;
  if (rank !== null && line.rank !== rank) return false;
  const shown = `${line.message} ${formatFields(line.fields)} rank ${line.rank} ${stage}`;
  return shown.toLowerCase().includes(search.trim().toLowerCase());
}
