import { pageSize } from "../database/page.ts";
import type { LogPageShape } from "../graphql/types/progress.ts";
import type { Services } from "../services.ts";

const levels = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof levels)[number];

export interface LogRequest {
  readonly after?: string | null | undefined;
  /** Only lines before this cursor: with `last`, the page before a page. */
  readonly before?: string | null | undefined;
  readonly first?: number | null | undefined;
  /** The newest lines in place of the oldest; `first` is not looked at. */
  readonly last?: number | null | undefined;
  readonly level?: LogLevel | null | undefined;
  readonly rank?: number | null | undefined;
  readonly search?: string | null | undefined;
}

/** Log lines in order, between two cursors: the oldest `first` or the newest `last` of them. */
export async function readLogs({ prisma }: Services, jobId: string, request: LogRequest): Promise<LogPageShape> {
  const isTail = request.last !== null && request.last !== undefined;
  const size = pageSize(request.last ?? request.first ?? 200);
  const rows = await prisma.logLine.findMany({
    where: {
      jobId,
      cursor: { gt: cursorOf(request.after) ?? 0, lt: cursorOf(request.before) ?? 2 ** 31 - 1 },
      ...(request.level ? { level: { in: levels.slice(levels.indexOf(request.level)) } } : {}),
      ...(request.rank === null || request.rank === undefined ? {} : { rank: request.rank }),
      ...(request.search ? { message: { contains: request.search, mode: "insensitive" as const } } : {}),
    },
    orderBy: { cursor: isTail ? "desc" : "asc" },
    take: size + 1,
  });
  const lines = isTail ? rows.slice(0, size).toReversed() : rows.slice(0, size);
  const [first, last] = [lines.at(0), lines.at(-1)];
  return {
    lines,
    hasNextPage: !isTail && rows.length > size,
    hasPreviousPage: isTail && rows.length > size,
    startCursor: first ? String(first.cursor) : null,
    endCursor: last ? String(last.cursor) : (request.after ?? null),
  };
}

function cursorOf(text: string | null | undefined): number | null {
  return text && /^\d{1,9}$/.test(text) ? Number(text) : null;
}
