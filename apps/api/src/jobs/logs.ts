import { pageSize } from "../database/page.ts";
import type { LogPageShape } from "../graphql/types/progress.ts";
import type { Services } from "../services.ts";

const levels = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof levels)[number];

export interface LogRequest {
  readonly after?: string | null | undefined;
  readonly first?: number | null | undefined;
  readonly level?: LogLevel | null | undefined;
  readonly rank?: number | null | undefined;
  readonly search?: string | null | undefined;
}

/** Log lines in order, after a cursor. */
export async function readLogs({ prisma }: Services, jobId: string, request: LogRequest): Promise<LogPageShape> {
  const size = pageSize(request.first ?? 200);
  const rows = await prisma.logLine.findMany({
    where: {
      jobId,
      cursor: { gt: cursorOf(request.after) },
      ...(request.level ? { level: { in: levels.slice(levels.indexOf(request.level)) } } : {}),
      ...(request.rank === null || request.rank === undefined ? {} : { rank: request.rank }),
      ...(request.search ? { message: { contains: request.search, mode: "insensitive" as const } } : {}),
    },
    orderBy: { cursor: "asc" },
    take: size + 1,
  });
  const lines = rows.slice(0, size);
  const last = lines.at(-1);
  return { lines, hasNextPage: rows.length > size, endCursor: last ? String(last.cursor) : (request.after ?? null) };
}

function cursorOf(after: string | null | undefined): number {
  return after && /^\d{1,9}$/.test(after) ? Number(after) : 0;
}
