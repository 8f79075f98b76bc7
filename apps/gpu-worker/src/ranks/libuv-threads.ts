/** What libuv has by itself: for files, gathered rows and the collectives of a rank. */
const ownThreads = 4;

/**
 * Threads that a rank's libuv pool needs (UV_THREADPOOL_SIZE): mini-batches are sampled on it, so the step's
 * `samplerThreads` come on top of its own. A step that does not sample has room for one as well: a process that served
 * it can then serve a step that does.
 */
export function libuvThreads(stepOptions: unknown): number {
  return ownThreads + samplerThreadsOf(stepOptions);
}

/** Batches that one process draws at a time. */
export function samplerThreadsOf(stepOptions: unknown): number {
  const { samplerThreads = 1 } = (stepOptions ?? {}) as { readonly samplerThreads?: number };
  return samplerThreads;
}
