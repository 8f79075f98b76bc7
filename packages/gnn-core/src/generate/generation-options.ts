import { loadAddon } from "../backends/native/addon.ts";
import { usableCores } from "../host/usable.ts";
import { StepProgress } from "../io/step-progress.ts";
import type { StepEvent } from "../spec/step-event.ts";

/** How a synthetic graph is made; none of it changes the graph. */
export interface GenerationOptions {
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: StepEvent) => void;
  /** Threads of the native library meanwhile. Default: all cores */
  readonly threads?: number;
}

export function progressOf({ signal, onEvent }: GenerationOptions): StepProgress {
  return new StepProgress({ signal: signal ?? new AbortController().signal, onEvent: onEvent ?? (() => {}) });
}

/** Runs the work with the native library on `threads` threads, and gives it back the number it had. */
export async function onThreads<T>(threads: number | undefined, work: () => Promise<T>): Promise<T> {
  const addon = loadAddon();
  const before = addon.threads();
  addon.setThreads(threads ?? usableCores());
  try {
    return await work();
  } finally {
    addon.setThreads(before);
  }
}
