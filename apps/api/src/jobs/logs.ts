import {
  AppError,
  type LogLevel,
  type LogLineAnswer,
  type LogPageAnswer,
  logLevel,
  type Member,
  parseMemberName,
  showMember,
} from "@hopwise/contracts";
import { pageSize } from "../database/page.ts";
import { recordOrNull } from "../database/stored-json.ts";
import { parseCursor } from "../events/cursor.ts";
import type { LogLine } from "../generated/prisma/client.ts";
import type { Services } from "../services.ts";

const levels = logLevel.options;

export interface LogRequest {
  readonly after?: string | null | undefined;
  /** Only lines before this cursor: with `last`, the page before a page. */
  readonly before?: string | null | undefined;
  readonly first?: number | null | undefined;
  /** The newest lines in place of the oldest; `first` is not looked at. */
  readonly last?: number | null | undefined;
  readonly level?: LogLevel | null | undefined;
  readonly rank?: number | null | undefined;
  /** Name of a member */
  readonly member?: string | null | undefined;
  readonly search?: string | null | undefined;
}

/**
 * Log lines in order, between two cursors: the oldest `first` or the newest `last` of them.
 *
 * @throws AppError REQUEST_INVALID for what is no cursor of the job, or no name of a member
 */
export async function readLogs({ prisma }: Services, jobId: string, request: LogRequest): Promise<LogPageAnswer> {
  const { after, before } = await rangeOf({ prisma }, jobId, request);
  const isTail = request.last !== null && request.last !== undefined;
  const size = pageSize(request.last ?? request.first ?? 200);
  const rows = await prisma.logLine.findMany({
    where: {
      jobId,
      cursor: { gt: after, ...(before === null ? {} : { lt: before }) },
      ...(request.level ? { level: { in: levels.slice(levels.indexOf(request.level)) } } : {}),
      AND: writersOf(request).map(({ kind, index }) => ({ memberKind: kind, memberIndex: index })),
      ...(request.search ? { message: { contains: request.search, mode: "insensitive" as const } } : {}),
    },
    orderBy: { cursor: isTail ? "desc" : "asc" },
    take: size + 1,
  });
  const lines = isTail ? rows.slice(0, size).toReversed() : rows.slice(0, size);
  const first = lines.at(0);
  const last = lines.at(-1);
  return {
    lines: lines.map(presentLine),
    hasNextPage: !isTail && rows.length > size,
    hasPreviousPage: isTail && rows.length > size,
    startCursor: first ? String(first.cursor) : null,
    endCursor: last ? String(last.cursor) : (request.after ?? null),
  };
}

/** Who must have written a line: a rank by its number, a member by its name. */
function writersOf({ rank, member }: LogRequest): Member[] {
  const ranks: Member[] = rank === null || rank === undefined ? [] : [{ kind: "rank", index: rank }];
  if (member === null || member === undefined) return ranks;
  const named = parseMemberName(member);
  if (named) return [...ranks, named];
  const detail = `"${member.slice(0, 40)}" is no name of a member; ranks are called 0, 1, …, sampler processes "sampler 0".`;
  throw new AppError("REQUEST_INVALID", detail, { place: { pointer: "/member" } });
}

function presentLine({ memberKind, memberIndex, ...line }: LogLine): LogLineAnswer {
  const { cursor, at, level, attempt, stageIndex, message, fields } = line;
  const shown = showMember({ kind: memberKind, index: memberIndex });
  const place = { cursor: String(cursor), at: at.toISOString(), attempt, stageIndex };
  return { ...place, level: logLevel.parse(level), ...shown, message, fields: recordOrNull(fields) };
}

/** Exclusive at both ends; `before` null: to the newest line */
async function rangeOf(
  { prisma }: Pick<Services, "prisma">,
  jobId: string,
  { after, before }: LogRequest,
): Promise<{ after: number; before: number | null }> {
  if (!after && !before) return { after: 0, before: null };
  const { cursor: last } = await prisma.job.findUniqueOrThrow({ where: { id: jobId }, select: { cursor: true } });
  return { after: parseCursor(after, last), before: before ? parseCursor(before, last) : null };
}
