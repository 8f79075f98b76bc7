import type { Problem } from "@hopwise/contracts";
import type { CombinedError } from "urql";

/** What the user is told when a call failed: the API's problem, or one of ours when there was no answer. */
export interface ShownProblem extends Pick<Problem, "code" | "title" | "detail"> {
  readonly pointer?: string | null | undefined;
  readonly file?: string | null | undefined;
  readonly line?: number | null | undefined;
  readonly field?: string | null | undefined;
}

/** A REST call that the API refused, or that never arrived. */
export class ProblemError extends Error {
  override readonly name = "ProblemError";
  readonly problem: ShownProblem;

  constructor(problem: ShownProblem) {
    super(problem.detail);
    this.problem = problem;
  }
}

export const unreachable: ShownProblem = {
  code: "UNREACHABLE",
  title: "Hopwise is not answering",
  detail: "The service could not be reached. It may be restarting: wait a moment and try again.",
};

/** True for a body of `application/problem+json`. */
export function isProblem(body: unknown): body is ShownProblem {
  return typeof body === "object" && body !== null && "code" in body && "detail" in body && "title" in body;
}

/** The first problem of a GraphQL answer: extensions carry what problem+json would. */
export function problemFromGraphql(error: CombinedError): ShownProblem {
  const [first] = error.graphQLErrors;
  if (!first) return unreachable;
  const { code, title, pointer, file, line, field } = first.extensions;
  return {
    code: typeof code === "string" ? code : "INTERNAL",
    title: typeof title === "string" ? title : "The request failed",
    detail: first.message,
    ...(typeof pointer === "string" && { pointer }),
    ...(typeof file === "string" && { file }),
    ...(typeof line === "number" && { line }),
    ...(typeof field === "string" && { field }),
  };
}

/** The problem behind anything a promise rejected with. */
export function problemOfUnknown(error: unknown): ShownProblem {
  if (error instanceof ProblemError) return error.problem;
  if (error instanceof TypeError) return unreachable;
  return {
    code: "INTERNAL",
    title: "Something went wrong in this page",
    detail: error instanceof Error ? error.message : String(error),
  };
}
