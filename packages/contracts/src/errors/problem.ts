import { z } from "zod";
import { type ErrorCode, errorCodes } from "./codes.ts";
import { isLostConnection } from "./lost-connection.ts";

/** An error as users see it: RFC 9457 `application/problem+json` and GraphQL `extensions`. */
export const problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  code: z.string(),
  /** Found, expected, next step. */
  detail: z.string(),
  /** JSON pointer into the request or spec. */
  pointer: z.string().optional(),
  file: z.string().optional(),
  line: z.number().int().optional(),
  field: z.string().optional(),
  retryable: z.boolean(),
});
export type Problem = z.infer<typeof problem>;

export interface ProblemPlace {
  pointer?: string | undefined;
  file?: string | undefined;
  line?: number | undefined;
  field?: string | undefined;
}

/** Builds the problem of a code; absent parts of the place are left out. */
export function problemOf(code: ErrorCode, detail: string, place: ProblemPlace = {}): Problem {
  const { status, title, retryable } = errorCodes[code];
  const found = Object.fromEntries(Object.entries(place).filter(([, value]) => value !== undefined));
  return { type: `https://hopwise.dev/errors/${code}`, title, status, code, detail, retryable, ...found };
}

/** A service error with a code of the table. `detail` is for the user; `cause` is for the log. */
export class AppError extends Error {
  override readonly name = "AppError";
  readonly problem: Problem;

  constructor(code: ErrorCode, detail: string, options: ErrorOptions & { place?: ProblemPlace } = {}) {
    super(detail, options);
    this.problem = problemOf(code, detail, options.place);
  }

  /** What GraphQL sends beside the message. */
  get extensions(): Omit<Problem, "detail"> {
    const { detail: _detail, ...extensions } = this.problem;
    return extensions;
  }
}

/** The problem behind any thrown value; what has no code of ours is masked as INTERNAL. */
export function problemFrom(error: unknown): Problem {
  if (error instanceof AppError) return error.problem;
  const full = isStorageFull(error) ? null : fullStorageBehind(error);
  if (full) {
    const detail = `There is no space left for ${full}. Make room there (docs/guides/operating.md, "A full disk") and try again; what was stored before is there.`;
    return problemOf("STORAGE_FULL", detail);
  }
  if (
    error instanceof Error &&
    "code" in error &&
    typeof error.code === "string" &&
    Object.hasOwn(errorCodes, error.code)
  ) {
    const place = "place" in error && typeof error.place === "object" ? (error.place as ProblemPlace) : {};
    return problemOf(error.code as ErrorCode, error.message, place);
  }
  if (isLostConnection(error)) {
    const detail =
      "The database or Redis, which this service needs, does not answer now: try again in a moment. /readyz says which of them it is.";
    return problemOf("UPSTREAM_UNAVAILABLE", detail);
  }
  return problemOf("INTERNAL", "The cause is in the service's log; please report it with the time of this message.");
}

/** Says so itself, and knows better where. */
function isStorageFull(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "STORAGE_FULL";
}

/** What has no space left, when that is what an error of the system, the database or Redis says; else null. */
function fullStorageBehind(error: unknown, depth = 0): string | null {
  if (typeof error !== "object" || error === null || depth > 4) return null;
  const { code, message, cause, meta } = error as Partial<Record<"code" | "message" | "cause" | "meta", unknown>>;
  if (code === "ENOSPC" || code === "EDQUOT") return "the files of the service (HOPWISE_DATA)";
  // PostgreSQL's disk_full, which its drivers and Prisma each carry in their own way.
  if (code === "53100" || (typeof message === "string" && /\b(code|Code): `?53100\b/.test(message)))
    return "the database";
  if (typeof message === "string" && message.startsWith("MISCONF")) return "Redis's file";
  if (typeof message === "string" && message.startsWith("OOM command")) return "Redis's memory (its maxmemory)";
  const driverError = (meta as { driverAdapterError?: unknown } | null | undefined)?.driverAdapterError;
  return fullStorageBehind(cause, depth + 1) ?? fullStorageBehind(driverError, depth + 1);
}
