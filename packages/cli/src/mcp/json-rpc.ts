/** A message of JSON-RPC 2.0 as it comes. */
export interface Message {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** What is wrong with a request, with a code of JSON-RPC. */
export class RpcError extends Error {
  override readonly name = "RpcError";
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}
export const rpcCodes = { parse: -32700, request: -32600, method: -32601, params: -32602, internal: -32603 } as const;

/** What a request comes with besides its parameters. */
export interface RequestScope {
  /** Aborted when the client cancels the request, or is gone. */
  readonly signal: AbortSignal;
  readonly notify: (method: string, params: object) => void;
}

export type Handler = (params: Readonly<Record<string, unknown>>, scope: RequestScope) => Promise<object> | object;

const longestLine = 4 * 1024 * 1024;

/**
 * Answers requests of JSON-RPC, a line each, until the input ends or the signal is aborted. Requests are answered as
 * they are done, not one after the other; `notifications/cancelled` stops one, which is then not answered.
 *
 * @throws RpcError when a line has more than 4 MiB
 */
export async function serveJsonRpc(
  input: AsyncIterable<Buffer | string>,
  write: (line: string) => void,
  handlers: Readonly<Record<string, Handler>>,
  signal: AbortSignal,
): Promise<void> {
  const running = new Map<string | number, AbortController>();
  const pending = new Set<Promise<void>>();
  const send = (message: object) => write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const notify = (method: string, params: object) => send({ method, params });
  const take = async (line: string) => {
    const message = parsed(line);
    if (message === null) return send({ id: null, error: { code: rpcCodes.parse, message: "This line is no JSON." } });
    const { id, method, params = {} } = message;
    if (method === "notifications/cancelled") running.get(params["requestId"] as string)?.abort();
    if (id === undefined || method === undefined) return;
    const stop = new AbortController();
    running.set(id, stop);
    const scope = { signal: AbortSignal.any([signal, stop.signal]), notify };
    const answer = await answerOf(handlers, method, params, scope);
    running.delete(id);
    if (!stop.signal.aborted) send({ id, ...answer });
  };
  try {
    for await (const line of linesOf(input)) {
      if (signal.aborted) break;
      const work = take(line).finally(() => pending.delete(work));
      pending.add(work);
    }
  } finally {
    for (const stop of running.values()) stop.abort();
    await Promise.allSettled(pending);
  }
}

async function answerOf(
  handlers: Readonly<Record<string, Handler>>,
  method: string,
  params: Readonly<Record<string, unknown>>,
  scope: RequestScope,
): Promise<object> {
  try {
    const handler = Object.hasOwn(handlers, method) ? handlers[method] : undefined;
    if (!handler) throw new RpcError(rpcCodes.method, `There is no method "${method}".`);
    return { result: await handler(params, scope) };
  } catch (error) {
    const code = error instanceof RpcError ? error.code : rpcCodes.internal;
    return { error: { code, message: error instanceof Error ? error.message : String(error) } };
  }
}

async function* linesOf(input: AsyncIterable<Buffer | string>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  // What has come of a line: joined once it is whole, however small its pieces are.
  let pieces: string[] = [];
  let length = 0;
  for await (const chunk of input) {
    const text = typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true });
    const [end = "", ...lines] = text.split("\n");
    pieces.push(end);
    length += end.length;
    const rest = lines.pop();
    if (rest !== undefined) {
      yield* [pieces.join(""), ...lines].filter((line) => line.trim() !== "");
      pieces = [rest];
      length = rest.length;
    }
    if (length > longestLine) throw new RpcError(rpcCodes.request, "A line has more than 4 MiB.");
  }
}

/** A message; null for what is none. An object without a method is the answer to a request, of which there are none. */
function parsed(line: string): Message | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}
