import { print } from "@0no-co/graphql.web";
import { isProblem, ProblemError, problemOfAnswer } from "./problem-error.ts";

/**
 * A GraphQL document that knows the types of its variables and its result, as gql.tada and GraphQL's code generator
 * make them: a tree, or text.
 */
export interface TypedDocument<Result, Variables> {
  readonly definitions?: readonly unknown[];
  toString(): string;
  readonly __apiType?: (variables: Variables) => Result;
}

export interface GraphqlError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions?: Readonly<Record<string, unknown>>;
}

/** The whole answer: data may be there beside errors, and then lacks what these are about. */
export interface GraphqlAnswer<Result> {
  readonly data?: Result | null;
  readonly errors?: readonly GraphqlError[];
}

/** The text of a document, as it is sent. */
export function textOf(document: string | TypedDocument<unknown, never>): string {
  return typeof document === "string" || document.definitions === undefined
    ? document.toString()
    : print(document as unknown as Parameters<typeof print>[0]);
}

/** Whether an operation may be sent again when there was no answer: a query, or a mutation with an idempotency key. */
export function isRepeatable(text: string, variables: object): boolean {
  return !/^\s*mutation\b/m.test(text) || typeof Reflect.get(variables, "idempotencyKey") === "string";
}

/**
 * The answer that a body holds.
 *
 * @throws ProblemError when it is none: the request was refused before GraphQL saw it
 */
export function graphqlAnswerOf<Result>(status: number, body: unknown): GraphqlAnswer<Result> {
  const isAnswer = typeof body === "object" && body !== null && ("data" in body || "errors" in body);
  if (!isAnswer) throw new ProblemError(problemOfAnswer(status, body));
  return body as GraphqlAnswer<Result>;
}

/** The problem of a GraphQL error: its extensions are what problem+json would say. */
export function errorOfGraphql({ message, extensions }: Pick<GraphqlError, "message" | "extensions">): ProblemError {
  const problem = { ...extensions, detail: message };
  return new ProblemError(
    isProblem(problem) ? problem : { code: "INTERNAL", title: "The request failed", detail: message },
  );
}
