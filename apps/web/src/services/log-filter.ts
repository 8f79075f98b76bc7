import { formatFields } from "./format.ts";
import type { JobSnapshot } from "./job-state.ts";

export type LogLine = JobSnapshot["logs"]["lines"][number];
export const logLevels = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof logLevels)[number];

export interface LogFilter {
  /** This level and those above it. */
  readonly level: LogLevel;
  /** Name of a rank or sampler process; null: all */
  readonly member: string | null;
  /** Part of what a line shows, in any case. */
  readonly search: string;
}

/** Who wrote a line, by the names that readers see. */
export interface LineSource {
  readonly stage: string;
  /** `1`, or `sampler 0` */
  readonly member: string;
}

/** The name of the rank or sampler process that wrote a line, as the table of ranks has it. */
export function memberOf(line: Pick<LogLine, "attempt" | "rank">, ranks: JobSnapshot["ranks"]): string {
  return ranks.find(({ attempt, rank }) => attempt === line.attempt && rank === line.rank)?.name ?? String(line.rank);
}

/** As it stands in a sentence or list: a rank's name alone is but a number. */
export function memberLabel(member: string): string {
  return /^\d/.test(member) ? `rank ${member}` : member;
}

/** Whether a line passes the filter. */
export function passesFilter(line: LogLine, source: LineSource, { level, member, search }: LogFilter): boolean {
  if (logLevels.indexOf(line.level as LogLevel) < logLevels.indexOf(level)) return false;
  if (member !== null && source.member !== member) return false;
  const shown = `${line.message} ${formatFields(line.fields)} ${memberLabel(source.member)} ${source.stage}`;
  return shown.toLowerCase().includes(search.trim().toLowerCase());
}
