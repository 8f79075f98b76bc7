/**
 * Runs `work` at once and then `periodMs` after each end: never two at a time. A failure goes to `onError` and does
 * not end the series.
 *
 * @returns stops the series; the promise ends when the run in progress has
 */
export function periodically(
  periodMs: number,
  work: () => Promise<void>,
  onError: (error: unknown) => void,
): () => Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let running = turn();

  async function turn(): Promise<void> {
    await work().catch(onError);
    if (stopped) return;
    timer = setTimeout(() => {
      running = turn();
    }, periodMs);
  }

  return async () => {
    stopped = true;
    clearTimeout(timer);
    await running;
  };
}
