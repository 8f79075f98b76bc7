import { AppError, limits } from "@hopwise/contracts";
import { type DocumentNode, type GraphQLError, parse, validate } from "graphql";
import { asGraphqlError } from "../base/graphql-errors.ts";
import { schema } from "../schema/schema.ts";

const most = 200;
/** Documents that were found valid, the least recently used first: what a page asks, it asks again. */
const known = new Map<string, DocumentNode>();

/**
 * A valid document. What may be long is bounded before it is looked at: the parser goes as deep as the text does, and
 * validation compares fields with each other.
 */
export function readDocument(text: string): DocumentNode | readonly GraphQLError[] {
  const found = known.get(text);
  if (found) {
    known.delete(text);
    known.set(text, found);
    return found;
  }
  const problem = tooLong(text);
  if (problem) return [asGraphqlError(problem)];
  try {
    const document = parse(text, { maxTokens: limits.graphqlTokens });
    const errors = validate(schema, document, undefined, { maxErrors: 20 });
    // The validator has a limit of its own to comparing fields with each other, and says no more than this.
    if (errors.some(({ message }) => message === "Validation aborted.")) return [asGraphqlError(tooRepetitive())];
    if (errors.length > 0) return errors;
    keep(text, document);
    return document;
  } catch (error) {
    return [asGraphqlError(error)];
  }
}

function tooRepetitive(): AppError {
  return new AppError("REQUEST_TOO_COSTLY", "The document asks for the same fields too often; ask for each once.");
}

function tooLong(text: string): AppError | null {
  const { graphqlCharacters, graphqlLines } = limits;
  if (text.length > graphqlCharacters) {
    const found = `The GraphQL document has ${text.length} characters; the limit is ${graphqlCharacters}.`;
    return new AppError("REQUEST_TOO_LARGE", `${found} Send what is long as variables.`);
  }
  // Each error finds its line by counting from the first one.
  const lines = text.split(/\r\n|[\n\r]/, graphqlLines + 1).length;
  if (lines <= graphqlLines) return null;
  return new AppError("REQUEST_TOO_LARGE", `The GraphQL document has more than ${graphqlLines} lines.`);
}

function keep(text: string, document: DocumentNode): void {
  known.set(text, document);
  for (const oldest of known.keys()) {
    if (known.size <= most) return;
    known.delete(oldest);
  }
}
