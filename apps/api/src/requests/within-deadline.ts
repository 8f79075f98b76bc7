import { AppError } from "@hopwise/contracts";
import type { FairSlots } from "./fair-slots.ts";

export interface DeadlineOptions {
  readonly slots: FairSlots;
  /** Whose requests share a number of slots. */
  readonly owner: string;
  readonly seconds: number;
  /** Aborted when nobody waits for the answer any more, where the work may then stop half-way; its reason is thrown. */
  readonly gone?: AbortSignal;
}

/**
 * Does costly work when it is its turn, and gives up at the deadline at the latest, waiting included. The slot is free
 * again when the work has really stopped, for which it is given a signal.
 *
 * @throws AppError REQUEST_DEADLINE, REQUEST_RATE_LIMITED, CANCELLED, and what the work throws
 */
export async function withinDeadline<T>(
  { slots, owner, seconds, gone }: DeadlineOptions,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const deadline = new AbortController();
  const signal = gone ? AbortSignal.any([deadline.signal, gone]) : deadline.signal;
  const timer = setTimeout(() => deadline.abort(tooSlow(seconds)), seconds * 1000);
  const late = new Promise<never>((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason));
  });
  const done = (async () => {
    const release = await slots.take(owner, signal);
    try {
      return await work(signal);
    } finally {
      release();
    }
  })();
  try {
    return await Promise.race([done, late]);
  } finally {
    clearTimeout(timer);
    done.catch(() => {}); // after the deadline nobody waits for it
  }
}

function tooSlow(seconds: number): AppError {
  return new AppError(
    "REQUEST_DEADLINE",
    `The request was not done after ${seconds} seconds (HOPWISE_REQUEST_SECONDS); ask for less at once, or try again later.`,
  );
}
