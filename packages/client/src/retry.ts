const longestMs = 30_000;

/**
 * How long to wait before a try: twice as long as before the last, at most half a minute, and not at the same moment as
 * other clients.
 *
 * @param failures tries that have failed since the last that succeeded, at least 1
 */
export function backoffMs(failures: number, firstMs: number): number {
  return Math.min(longestMs, firstMs * 2 ** (failures - 1)) * (0.5 + Math.random() / 2);
}

/** @throws the signal's reason, once it has been aborted */
export function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    }, ms);
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}

/** Answers of a service that is not there for the moment: a proxy's, or its own while what it needs is away. */
const passing = new Set([429, 502, 503, 504]);

/** Whether the same call may be answered well in a moment. */
export function isPassing(status: number | undefined): boolean {
  return status === undefined || passing.has(status);
}
