import type { GraphqlAnswer } from "@hopwise/client";

/** What the script beside the entry has sent while the entry was still on its way (script/page-code.ts). */
interface EarlyCall {
  readonly body: string;
  /** null: there was no good one */
  readonly answer: Promise<GraphqlAnswer<Record<string, unknown>> | null>;
}

declare global {
  var hopwiseEarlyCall: EarlyCall | undefined;
}

/**
 * The answer to a call that was sent before this code was there, to whoever first sends the same. Without a good one,
 * the call is sent as usual: that tells of what went wrong, and tries again.
 *
 * @param body of the call, as JSON
 */
export async function takeEarlyAnswer(body: string): Promise<GraphqlAnswer<Record<string, unknown>> | null> {
  const call = globalThis.hopwiseEarlyCall;
  if (call?.body !== body) return null;
  globalThis.hopwiseEarlyCall = undefined;
  const answer = await call.answer;
  return answer?.data && !answer.errors ? answer : null;
}
