import type { RestRoute, restRoutes } from "@hopwise/contracts";
import type { z } from "zod";

type Routes = typeof restRoutes;

/** GraphQL and uploads by tus have methods of their own, and the artifact store is for workers with a grant. */
type Elsewhere =
  | { readonly path: "/graphql" }
  | { readonly access: "grant" }
  | { readonly method: "OPTIONS" | "PATCH" }
  | { readonly method: "POST"; readonly path: "/v1/datasets/:id/uploads" };

/**
 * Every route of the REST API by its method and path: `Contract["GET /v1/jobs/:id"]`. All types of a call follow from
 * it, and nothing of it is left when the program runs.
 */
export type Contract = {
  [N in keyof Routes as Routes[N] extends Elsewhere ? never : `${Routes[N]["method"]} ${Routes[N]["path"]}`]: Routes[N];
};

/** What a call names: `"GET /v1/jobs/:id"`. */
export type Operation = keyof Contract;

declare const raw: unique symbol;
/** Stands for a body that is no JSON. */
type Raw = typeof raw;

/** The type of one answer's body; an answer without a body is undefined. */
type BodyOf<A> = A extends z.ZodType
  ? z.output<A>
  : A extends { readonly schemas: { readonly "application/json": infer S extends z.ZodType } }
    ? z.output<S>
    : A extends { readonly contentTypes: readonly string[] }
      ? Raw
      : undefined;

/** Nothing is asked for on a condition here, so that nothing is answered with 304. */
type BodiesOf<R extends RestRoute> = {
  [S in Exclude<keyof R["answers"], 304>]: BodyOf<R["answers"][S]>;
}[Exclude<keyof R["answers"], 304>];

/** The JSON that a route answers with; undefined when it answers with nothing. */
export type AnswerOf<O extends Operation> = Exclude<BodiesOf<Contract[O]>, Raw>;

type EventSchemaOf<R extends RestRoute> = R["answers"] extends {
  readonly 200: { readonly schemas: { readonly "text/event-stream": infer S extends z.ZodType } };
}
  ? S
  : never;

/** What each server-sent event of a route carries. */
export type EventOf<O extends Operation> = z.output<EventSchemaOf<Contract[O]>>;

type Matching<Condition> = { [O in Operation]: Contract[O] extends Condition ? O : never }[Operation];

/** Routes that are sent files. */
export type UploadOperation = Matching<{ readonly consumes: readonly ["multipart/form-data"] }>;

/** Routes that send events. */
export type EventOperation = {
  [O in Operation]: [EventSchemaOf<Contract[O]>] extends [never] ? never : O;
}[Operation];

/** Routes that send a file, or the range of it that is asked for. */
export type FileOperation = Matching<{ readonly method: "GET"; readonly answers: { readonly 206: unknown } }>;

/** Routes whose answers have a body that is no JSON. */
export type RawOperation = {
  [O in Operation]: Raw extends BodiesOf<Contract[O]> ? O : never;
}[Operation];

/** Routes that take JSON or nothing, and answer with JSON or nothing. */
export type JsonOperation = {
  [O in Operation]: Raw extends BodiesOf<Contract[O]> ? ([AnswerOf<O>] extends [undefined] ? never : O) : O;
}[Exclude<Operation, UploadOperation>];

/** What is sent for a schema of parameters: its defaults may be left out, and numbers are numbers. */
type Sent<S extends z.ZodType> = {
  [K in keyof z.input<S>]: unknown extends z.input<S>[K] ? z.output<S>[K & keyof z.output<S>] : z.input<S>[K];
};

type NoRequired<T> = Partial<T> extends T ? true : false;

type ParamsPart<R> = R extends { readonly params: infer S extends z.ZodType } ? { readonly params: Sent<S> } : unknown;

type QueryPart<R> = R extends { readonly query: infer S extends z.ZodType }
  ? NoRequired<Sent<S>> extends true
    ? { readonly query?: Sent<S> }
    : { readonly query: Sent<S> }
  : unknown;

type BodyPart<R> = R extends { readonly body: infer S extends z.ZodType } ? { readonly body: z.input<S> } : unknown;

/** Routes that take a key ask for one: without it, a call that got no answer could not be made again. */
type KeyPart<R> = R extends { readonly headers: infer S extends z.ZodType }
  ? "idempotency-key" extends keyof z.input<S>
    ? { readonly idempotencyKey: string }
    : unknown
  : unknown;

/** The parameters of a route's address. */
export type AddressOf<O extends Operation> = ParamsPart<Contract[O]> & QueryPart<Contract[O]>;

/** All that a route takes. */
export type InputOf<O extends Operation> = AddressOf<O> &
  BodyPart<Contract[O]> &
  KeyPart<Contract[O]> & { readonly signal?: AbortSignal | undefined };

/** An argument that may be left out when nothing in it is required. */
export type Argument<T> = NoRequired<T> extends true ? [input?: T] : [input: T];
