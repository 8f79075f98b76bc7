import { setTimeout as delay } from "node:timers/promises";
import { problemFrom } from "@hopwise/contracts";

const lookAgainMs = 2000;

export interface WaitOptions {
  /** Ends the waiting. */
  readonly signal: AbortSignal;
  /** Told once, when the waiting begins. */
  readonly onFull: (detail: string) => void;
}

/**
 * Does what needs room on a disk. While that is full it waits and tries again: what ranks have computed is worth more
 * than the slots that they keep.
 *
 * @param work leaves nothing behind when it fails
 * @throws what `work` throws for any other reason; the signal's reason
 */
export async function waitForSpace<T>(work: () => Promise<T>, { signal, onFull }: WaitOptions): Promise<T> {
  for (let isTold = false; ; isTold = true) {
    try {
      return await work();
    } catch (error) {
      const { code, detail } = problemFrom(error);
      if (code !== "STORAGE_FULL" || signal.aborted) throw error;
      if (!isTold) onFull(detail);
      await delay(lookAgainMs, undefined, { signal });
    }
  }
}
