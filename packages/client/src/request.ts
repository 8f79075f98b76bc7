import { addressOf, methodAndPath } from "./address.ts";
import { errorOfResponse, ProblemError, problemOfAnswer } from "./problem-error.ts";

/** What any route may be called with; each route's own types say which of it. */
export interface AnyInput {
  readonly params?: object;
  readonly query?: object;
  readonly body?: unknown;
  readonly idempotencyKey?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

/** A call as fetch sends it. */
export interface Sendable {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly signal: AbortSignal | null;
}

/** A call of an operation, such as `"GET /v1/jobs/:id"`, of the service at an address. */
export function sendable(service: string, operation: string, input: AnyInput): Sendable {
  const [method, path] = methodAndPath(operation);
  const { body, idempotencyKey, headers, signal = null } = input;
  return {
    method,
    url: service + addressOf(path, input),
    headers: {
      accept: "application/json",
      ...headers,
      ...(body !== undefined && { "content-type": "application/json" }),
      ...(idempotencyKey !== undefined && { "idempotency-key": idempotencyKey }),
    },
    body: body === undefined ? null : JSON.stringify(body),
    signal,
  };
}

/** Methods that may be repeated when it is not known whether they arrived (RFC 9110 §9.2.2). */
const repeatable = new Set(["GET", "HEAD", "PUT", "DELETE"]);

/** Whether a call may be sent again when it got no answer. */
export function isRepeatableCall({ method, headers }: Sendable): boolean {
  return repeatable.has(method) || headers["idempotency-key"] !== undefined;
}

/** Sends a call once; the body is still to come. */
export function fetchOnce({ url, ...init }: Sendable): Promise<Response> {
  return fetch(url, init);
}

/** Sends a call once and waits for the whole body, so that a connection that breaks meanwhile counts as lost. */
export async function fetchWhole(call: Sendable): Promise<Response> {
  const response = await fetchOnce(call);
  const body = await response.arrayBuffer();
  return new Response(body.byteLength === 0 ? null : body, response);
}

/** @throws ProblemError when the answer is no success */
export async function requireSuccess(response: Response): Promise<Response> {
  if (response.ok) return response;
  throw await errorOfResponse(response);
}

/** The JSON of an answer; undefined when it has no body. */
export async function jsonOf(response: Response): Promise<unknown> {
  const text = await response.text();
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ProblemError(problemOfAnswer(response.status, null), { cause });
  }
}
