/** What libuv has by itself: for files, gathered rows and the collectives of a rank. */
const ownThreads = 4;

/**
 * Threads that a rank's libuv pool needs (UV_THREADPOOL_SIZE): mini-batches are sampled on it, so the step's
 * `samplerThreads` come on top of its own.
 */
export function libuvThreads(stepOptions: unknown): number {
  const { samplerThreads = 0 } = (stepOptions ?? {}) as { readonly samplerThreads?: number };
  return ownThreads + samplerThreads;
}
