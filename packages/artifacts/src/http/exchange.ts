import { type Agent, type IncomingMessage, request as plainRequest } from "node:http";
import { request as tlsRequest } from "node:https";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

export interface Exchange {
  readonly method: "GET" | "HEAD" | "PUT" | "DELETE" | "POST";
  readonly url: URL;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body?: Readable | undefined;
  readonly agent: Agent;
  /** Without a byte for so long the connection is given up. */
  readonly idleMs: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * One HTTP request up to the head of its answer, which may come before the body is sent (a refusal). Redirects are not
 * followed: credentials go to no other server.
 *
 * @throws what the connection or the body's source ran into
 */
export function exchange({ url, body, idleMs, ...options }: Exchange): Promise<IncomingMessage> {
  const { method, headers, agent } = options;
  const signal = options.signal ? { signal: options.signal } : {};
  return new Promise((resolve, reject) => {
    const send = url.protocol === "https:" ? tlsRequest : plainRequest;
    const request = send(url, { method, headers, agent, ...signal });
    request.setTimeout(idleMs, () => request.destroy(new Error(`no byte for ${idleMs / 1000} s`)));
    request.on("response", resolve);
    request.on("error", reject);
    if (body) pipeline(body, request).catch(reject);
    else request.end();
  });
}
