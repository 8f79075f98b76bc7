import { type ClientRequest, request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import type { AddressGuard } from "../requests/address-guard.ts";

export interface GuardedPost {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly guard: AddressGuard;
  readonly timeoutMs: number;
  /** Ends the request early. */
  readonly signal: AbortSignal;
}

/** What of an answer is waited for, so that a receiver that writes on and on costs nothing. */
const mostAnswerBytes = 64 * 1024;

/**
 * Posts to an address that a user has named. No redirect is followed, no proxy used and no connection kept. Nothing of
 * the answer is handed on but its status, so that nobody reads with it what lies behind the address.
 *
 * @returns the HTTP status
 * @throws Error when there is no answer in time, or the address may not be reached (ForbiddenAddress)
 */
export async function guardedPost({ url, headers, body, guard, timeoutMs, signal }: GuardedPost): Promise<number> {
  const target = new URL(url);
  guard.checkLiteral(target);
  const send = target.protocol === "https:" ? httpsRequest : httpRequest;
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  const length = Buffer.byteLength(body);
  const request = send(target, {
    method: "POST",
    agent: false,
    lookup: guard.lookup,
    signal: deadline,
    headers: { ...headers, "content-type": "application/json", "content-length": length, connection: "close" },
  });
  try {
    const answer = await answerTo(request, body);
    return answer.statusCode ?? 0;
  } catch (error) {
    if (!deadline.aborted || signal.aborted) throw error;
    throw new Error(`There was no answer within ${timeoutMs / 1000} s.`, { cause: error });
  } finally {
    request.destroy();
  }
}

function answerTo(request: ClientRequest, body: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once("error", reject);
    request.once("response", (answer) => {
      let bytes = 0;
      answer.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > mostAnswerBytes) resolve(answer);
      });
      answer.once("end", () => resolve(answer));
      answer.once("error", reject);
    });
    request.end(body);
  });
}
