import { ProblemError } from "@hopwise/client";

/** What a run of the program comes to; documented in docs/guides/command-line.md. */
export const exitCodes = {
  done: 0,
  refused: 1,
  usage: 2,
  notAllowed: 3,
  notFound: 4,
  jobFailed: 5,
  unreachable: 6,
  interrupted: 130,
} as const;
export type Outcome = keyof typeof exitCodes;

/** Something that the program itself finds wrong. */
export class CliError extends Error {
  readonly outcome: Outcome;

  constructor(outcome: Outcome, message: string) {
    super(message);
    this.name = "CliError";
    this.outcome = outcome;
  }
}

/** What an error comes to. */
export function outcomeOf(error: unknown): Outcome {
  if (error instanceof CliError) return error.outcome;
  if (!(error instanceof ProblemError)) return isAbort(error) ? "interrupted" : "refused";
  if (error.code === "UNREACHABLE") return "unreachable";
  if (error.problem.status === 401 || error.problem.status === 403) return "notAllowed";
  return error.problem.status === 404 ? "notFound" : "refused";
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === "AbortError";
}

/** An error as it is told: what was found and what to do next, with the place in what was sent. */
export function toldError(error: unknown): {
  readonly code: string;
  readonly message: string;
  readonly pointer?: string;
} {
  if (error instanceof ProblemError) {
    const { pointer, code } = error;
    return { code, message: error.message, ...(pointer !== undefined && { pointer }) };
  }
  const message = error instanceof Error ? error.message : String(error);
  return { code: outcomeOf(error).replaceAll(/[A-Z]/g, "_$&").toUpperCase(), message };
}
