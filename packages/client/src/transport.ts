import { retryAfterMsOf, unreachableError } from "./problem-error.ts";
import { backoffMs, isPassing, wait } from "./retry.ts";

const firstDelayMs = 500;
const longestRetryAfterMs = 30_000;
const maxTries = 5;

export interface RetryRules {
  /** Whether a call that may have had its effect may be sent again: it reads, or has an idempotency key. */
  readonly isRepeatable: boolean;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Sends a call, again when that can help: what is repeatable after a lost connection or an answer of 429, 502, 503 or
 * 504, anything else only when it certainly had no effect (429, or nobody listened). Five times at most, 0.5 s, 1 s,
 * 2 s and 4 s apart, or as Retry-After says.
 *
 * @param attempt sends it once; what it rejects with is taken for a lost connection
 * @returns the last answer, of whatever status
 * @throws ProblemError UNREACHABLE; the signal's reason when that is aborted
 */
export async function sendWithRetries(
  attempt: () => Promise<Response>,
  { isRepeatable, signal }: RetryRules,
): Promise<Response> {
  for (let tries = 1; ; tries++) {
    signal?.throwIfAborted();
    const outcome = await attempt().catch((cause: unknown) => ({ cause }));
    signal?.throwIfAborted();
    const isLast = tries === maxTries;
    if ("cause" in outcome) {
      if (isLast || !(isRepeatable || nobodyListened(outcome.cause))) throw unreachableError(outcome.cause);
      await wait(backoffMs(tries, firstDelayMs), signal);
      continue;
    }
    const retryAfterMs = retryAfterMsOf(outcome);
    const mayHelp = isPassing(outcome.status) && (isRepeatable || outcome.status === 429);
    if (isLast || !mayHelp || (retryAfterMs ?? 0) > longestRetryAfterMs) return outcome;
    await outcome.body?.cancel();
    await wait(retryAfterMs ?? backoffMs(tries, firstDelayMs), signal);
  }
}

/** What Node says when there was no connection over which anything could have been sent. Browsers do not tell. */
const notConnected = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "UND_ERR_CONNECT_TIMEOUT"]);

function nobodyListened(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return typeof cause === "object" && cause !== null && "code" in cause && notConnected.has(String(cause.code));
}
