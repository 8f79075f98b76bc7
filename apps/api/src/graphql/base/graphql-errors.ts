import { AppError, type ErrorCode, type Problem, problemFrom, problemOf } from "@hopwise/contracts";
import type { ExecutionResult } from "graphql";
import { GraphQLError } from "graphql";

interface Formatted {
  readonly statusCode: number;
  readonly response: ExecutionResult;
}

/** At most so many errors are told of: a document may repeat its mistake. */
const most = 100;

/** GraphQL errors as users see them: a code of the one table in `extensions`, places kept, causes masked. */
export function formatGraphqlErrors(execution: ExecutionResult, onInternal: (error: unknown) => void): Formatted {
  const errors = (execution.errors ?? []).slice(0, most);
  const formatted = errors.map((error) => formatOne(error, onInternal));
  const [first] = formatted;
  // A response with data is a success with errors beside it; without, the first problem says what it is.
  const statusCode = execution.data ? 200 : Number(first?.extensions.status ?? 500);
  return { statusCode, response: { data: execution.data ?? null, errors: formatted } };
}

/** Whatever was thrown outside a resolver, as what `formatGraphqlErrors` takes. */
export function asGraphqlError(error: unknown, { code, detail, ...place }: Problem = problemFrom(error)): GraphQLError {
  if (error instanceof GraphQLError) return error;
  const originalError = new AppError(code as ErrorCode, detail, { place, cause: error });
  return new GraphQLError(detail, { originalError });
}

function formatOne(error: GraphQLError, onInternal: (error: unknown) => void): GraphQLError {
  const { detail, ...extensions } = problemOfGraphql(error);
  if (extensions.code === "INTERNAL") onInternal(error.originalError ?? error);
  const { nodes = null, source = null, positions = null, path = null } = error;
  return new GraphQLError(detail, { nodes, source, positions, path, extensions: { ...extensions } });
}

function problemOfGraphql(error: GraphQLError): Problem {
  const { originalError, path } = error;
  if (originalError instanceof AppError) return originalError.problem;
  const status = originalError && "statusCode" in originalError ? Number(originalError.statusCode) : 0;
  // Syntax, validation and variables fail before any field has a path; their messages are for the user.
  const isRequest = path === undefined && !(status >= 500);
  return isRequest ? problemOf("REQUEST_INVALID", error.message) : problemFrom(originalError);
}
