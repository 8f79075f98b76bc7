import { z } from "zod";
import { type ErrorCode, errorCodes } from "./codes.ts";

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
  if (
    error instanceof Error &&
    "code" in error &&
    typeof error.code === "string" &&
    Object.hasOwn(errorCodes, error.code)
  ) {
    const place = "place" in error && typeof error.place === "object" ? (error.place as ProblemPlace) : {};
    return problemOf(error.code as ErrorCode, error.message, place);
  }
  return problemOf("INTERNAL", "The cause is in the service's log; please report it with the time of this message.");
}
