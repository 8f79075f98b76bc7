import { formatFields } from "./format.ts";
import type { JobSnapshot } from "./job-state.ts";

export type LogLine = JobSnapshot["logs"]["lines"][number];
type FilteredLine = Pick<LogLine, "message" | "member"> & { readonly level: string; readonly fields: unknown };
export const logLevels = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof logLevels)[number];

export interface LogFilter {
  /** This level and those above it. */
  readonly level: LogLevel;
  /** Name of a rank or sampler process; null: all */
  readonly member: string | null;
  /** Part of what a line shows, in any case */
  readonly search: string;
  /** The search is a regular expression. */
  readonly isPattern?: boolean;
}

/** Why a search finds nothing whatever the lines are; null when it may find some. */
export function searchProblem({ search, isPattern }: Pick<LogFilter, "search" | "isPattern">): string | null {
  if (!isPattern) return null;
  const pattern = patternOf(search);
  return pattern === null ? "This is no regular expression yet." : null;
}

function patternOf(search: string): RegExp | null {
  try {
    return new RegExp(search, "i");
  } catch {
    return null;
  }
}

/** As it stands in a sentence or list: a rank's name alone is but a number. */
export function memberLabel(member: string): string {
  return /^\d/.test(member) ? `rank ${member}` : member;
}

/** Names as readers look for them: ranks by number, then sampler processes. */
export function memberOrder(a: string, b: string): number {
  return a.localeCompare(b, "en", { numeric: true });
}

/** Whether a line of a stage passes the filter. */
export function passesFilter(
  line: FilteredLine,
  stage: string,
  { level, member, search, isPattern }: LogFilter,
): boolean {
  if (logLevels.indexOf(line.level as LogLevel) < logLevels.indexOf(level)) return false;
  if (member !== null && line.member !== member) return false;
  const shown = `${line.message} ${formatFields(line.fields)} ${memberLabel(line.member)} ${stage}`;
  if (isPattern) return patternOf(search)?.test(shown) ?? false;
  return shown.toLowerCase().includes(search.trim().toLowerCase());
}
