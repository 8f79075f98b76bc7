import { AppError, limits } from "@hopwise/contracts";
import {
  type DocumentNode,
  type GraphQLError,
  getOperationAST,
  getVariableValues,
  type OperationDefinitionNode,
  type OperationTypeNode,
} from "graphql";
import { asGraphqlError } from "../base/graphql-errors.ts";
import { schema } from "../schema/schema.ts";
import { costOf } from "./cost.ts";
import { readDocument } from "./documents.ts";

/** As it was sent. */
export interface OperationRequest {
  readonly query?: unknown;
  readonly operationName?: unknown;
  readonly variables?: unknown;
}

/** One operation that may be run: valid, with variables of the right types, within the limits. */
export interface Operation {
  readonly kind: OperationTypeNode;
  readonly text: string;
  readonly document: DocumentNode;
  readonly operationName: string | null;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** The operation, or why it is not run. */
export function readOperation(request: OperationRequest): Operation | readonly GraphQLError[] {
  const { query, operationName = null, variables } = request;
  // A document that comes as a tree would pass by everything that is bounded in a text.
  if (typeof query !== "string" || query === "") return [refusal("`query` must be the text of a GraphQL document.")];
  if (operationName !== null && typeof operationName !== "string")
    return [refusal("`operationName` must be a string.")];
  if (!isObject(variables ?? {})) return [refusal("`variables` must be an object.")];
  const document = readDocument(query);
  if ("length" in document) return document;
  const operation = getOperationAST(document, operationName);
  if (!operation) return [refusal("The document has several operations, or none of this name: name one of them.")];
  const given = (variables ?? {}) as Record<string, unknown>;
  const errors = limitErrors(document, operation, given);
  if (errors.length > 0) return errors;
  return { kind: operation.operation, text: query, document, operationName, variables: given };
}

function limitErrors(
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Record<string, unknown>,
): readonly GraphQLError[] {
  const coerced = getVariableValues(schema, operation.variableDefinitions ?? [], variables, { maxErrors: 10 });
  if (coerced.errors) return coerced.errors;
  const { cost, depth } = costOf(document, operation, variables);
  if (depth > limits.graphqlDepth) {
    const detail = `The query is ${depth} selections deep; the limit is ${limits.graphqlDepth}. Ask for what lies deeper by its id.`;
    return [refusal(detail, "REQUEST_TOO_COSTLY")];
  }
  if (cost <= limits.graphqlCost) return [];
  const found = Number.isFinite(cost) ? Math.ceil(cost) : "more than can be counted";
  const detail = `The query costs up to ${found}; the limit is ${limits.graphqlCost}. Ask for smaller pages, fewer nested lists or fewer aliases.`;
  return [refusal(detail, "REQUEST_TOO_COSTLY")];
}

function refusal(detail: string, code: "REQUEST_INVALID" | "REQUEST_TOO_COSTLY" = "REQUEST_INVALID"): GraphQLError {
  return asGraphqlError(new AppError(code, detail));
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
