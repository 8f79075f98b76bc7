import { type CallProblem, errorOfGraphql, ProblemError, unreachableError } from "@hopwise/client";
import type { CombinedError } from "urql";

/** What the user is told of what failed: GraphQL has null where a problem of REST has nothing. */
export interface ShownProblem extends Pick<CallProblem, "code" | "title" | "detail"> {
  readonly pointer?: string | null | undefined;
  readonly file?: string | null | undefined;
  readonly line?: number | null | undefined;
  readonly field?: string | null | undefined;
}

/** The first problem of a GraphQL answer, or why there was none. */
export function problemFromGraphql({ graphQLErrors: [first], networkError }: CombinedError): CallProblem {
  if (first) return errorOfGraphql(first).problem;
  // The socket of subscriptions says no more than that it is closed.
  return networkError instanceof ProblemError ? networkError.problem : unreachableError().problem;
}

/** The problem behind anything a promise rejected with. */
export function problemOfUnknown(error: unknown): CallProblem {
  if (error instanceof ProblemError) return error.problem;
  // A part of the page that could not be loaded.
  if (error instanceof TypeError) return unreachableError().problem;
  if (error instanceof DOMException && error.name === "AbortError") {
    return { code: "ABORTED", title: "Stopped", detail: "It was stopped by you." };
  }
  return {
    code: "INTERNAL",
    title: "Something went wrong in this page",
    detail: error instanceof Error ? error.message : String(error),
  };
}
