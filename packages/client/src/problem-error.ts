import type { ErrorCode, Problem } from "@hopwise/contracts";

/** Codes of what is found here, beside those that the API answers with (docs/errors.md). */
export type ClientErrorCode =
  /** There was no answer, or the connection broke. */
  | "UNREACHABLE"
  /** What was downloaded has another SHA-256 than the API says. */
  | "DOWNLOAD_DAMAGED"
  /** A job that was waited for was cancelled, or failed without saying why. */
  | "JOB_NOT_SUCCEEDED";

export type ProblemCode = ErrorCode | ClientErrorCode;

/** What went wrong: the API's problem (RFC 9457), or one of the client's own. */
export interface CallProblem extends Omit<Problem, "type" | "status" | "code" | "retryable"> {
  /** Newer services may have codes that this client does not know. */
  readonly code: ProblemCode | (string & {});
  /** Status of HTTP; left out when there was no answer. */
  readonly status?: number;
  readonly retryable?: boolean;
  readonly type?: string;
}

/** A call that the API refused, or that got no answer. */
export class ProblemError extends Error {
  override readonly name = "ProblemError";
  readonly problem: CallProblem;
  /** What the API asks to wait before the next try. */
  readonly retryAfterMs: number | null;

  constructor(problem: CallProblem, options: ErrorOptions & { readonly retryAfterMs?: number | null } = {}) {
    super(problem.detail, options);
    this.problem = problem;
    this.retryAfterMs = options.retryAfterMs ?? null;
  }

  get code(): CallProblem["code"] {
    return this.problem.code;
  }

  /** RFC 6901, into the request or the spec. */
  get pointer(): string | undefined {
    return this.problem.pointer;
  }
}

const unreachable: CallProblem = {
  code: "UNREACHABLE",
  title: "Hopwise is not answering",
  detail: "The service could not be reached. It may be restarting: wait a moment and try again.",
  retryable: true,
};

/** The error of a call that got no answer. */
export function unreachableError(cause?: unknown): ProblemError {
  return new ProblemError(unreachable, { cause });
}

/** True for a body of `application/problem+json`. */
export function isProblem(body: unknown): body is CallProblem {
  return typeof body === "object" && body !== null && "code" in body && "detail" in body && "title" in body;
}

/** The problem of an answer, also when a proxy answered in the API's place. */
export function problemOfAnswer(status: number, body: unknown): CallProblem {
  if (isProblem(body)) return body;
  return {
    code: "INTERNAL",
    title: "The request failed",
    detail: `The service answered with status ${status} and no explanation; its log may say more.`,
    status,
  };
}

/** Reads the problem out of an answer that is no success. */
export async function errorOfResponse(response: Response): Promise<ProblemError> {
  const body = parseJson(await response.text().catch(() => ""));
  return new ProblemError(problemOfAnswer(response.status, body), { retryAfterMs: retryAfterMsOf(response) });
}

/** The header Retry-After in seconds; null without one, or when it is a date. */
export function retryAfterMsOf({ headers }: Response): number | null {
  const seconds = headers.get("retry-after");
  return seconds !== null && /^\d+$/.test(seconds) ? Number(seconds) * 1000 : null;
}

/** JSON of unknown content; null for what is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
