import { AppError, type Problem, problemFrom, problemOf } from "@hopwise/contracts";
import type { ExecutionResult } from "graphql";
import { GraphQLError } from "graphql";

interface Formatted {
  readonly statusCode: number;
  readonly response: ExecutionResult;
}

/**
 * GraphQL errors as users see them: a code of the one table in `extensions`, places kept, causes masked.
 * Mercurius wraps several validation errors into one, and sends any resolver's message as it is.
 */
export function formatGraphqlErrors(execution: ExecutionResult, onInternal: (error: unknown) => void): Formatted {
  const errors = (execution.errors ?? []).flatMap(flatten);
  const formatted = errors.map((error) => formatOne(error, onInternal));
  const [first] = formatted;
  // A response with data is a success with errors beside it; without, the first problem says what it is.
  const statusCode = execution.data ? 200 : Number(first?.extensions.status ?? 500);
  return { statusCode, response: { data: execution.data ?? null, errors: formatted } };
}

function flatten(error: GraphQLError): readonly GraphQLError[] {
  const inner = error.originalError && "errors" in error.originalError ? error.originalError.errors : undefined;
  return Array.isArray(inner) ? inner.map(asGraphqlError) : [error];
}

/** Everything in such a list is about the request, whatever status mercurius gave it. */
function asGraphqlError(error: unknown): GraphQLError {
  if (error instanceof GraphQLError) return error;
  return new GraphQLError(error instanceof Error ? error.message : String(error));
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
