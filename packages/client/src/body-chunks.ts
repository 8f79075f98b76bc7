import { unreachableError } from "./problem-error.ts";

/** The API says something every 15 s: three times as long without a word, and the connection is taken for lost. */
const defaultSilenceMs = 45_000;

export interface Patience {
  readonly signal?: AbortSignal | undefined;
  /** After how long without a byte the connection is given up for another; left out: 45 s. */
  readonly silenceMs?: number | undefined;
}

/**
 * The chunks of an answer's body as they come.
 *
 * @throws ProblemError UNREACHABLE when the connection breaks or falls silent; the signal's reason
 */
export async function* chunksOf(
  { body }: Response,
  { signal, silenceMs = defaultSilenceMs }: Patience,
): AsyncGenerator<Uint8Array, void, void> {
  if (body === null) return;
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await inTime(reader.read(), silenceMs, signal);
      if (done) return;
      yield value;
    }
  } finally {
    // Not waited for: a connection that is already broken may never say that it is closed.
    reader.cancel().catch(() => undefined);
  }
}

function inTime<T>(value: Promise<T>, silenceMs: number, signal: AbortSignal | undefined): Promise<T> {
  let stopWaiting = () => {};
  const outcome = new Promise<T>((resolve, reject) => {
    const giveUp = () => reject(unreachableError(new Error(`Nothing has come for ${silenceMs} ms.`)));
    const timer = setTimeout(giveUp, silenceMs);
    const onAbort = () => reject(signal?.reason as Error);
    signal?.addEventListener("abort", onAbort);
    stopWaiting = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    };
    if (signal?.aborted) onAbort();
    value.then(resolve, (cause: unknown) => reject(unreachableError(cause)));
  });
  return outcome.finally(() => stopWaiting());
}
