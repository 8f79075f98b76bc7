import { setTimeout as wait } from "node:timers/promises";

export interface Paced {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly longestMs: number;
  /** How late whoever asks was itself, 99th percentile: what it waits for its own processor is in all latencies */
  readonly askerLateP99Ms: number;
}

/** Requests sent at their times, whether earlier ones are answered or not; what each took by the clock. */
export async function paced(numRequests: number, perSecond: number, ask: (n: number) => Promise<void>): Promise<Paced> {
  const began = performance.now();
  const took: Promise<number>[] = [];
  const late: number[] = [];
  while (took.length < numRequests) {
    const due = Math.min(numRequests, Math.floor(((performance.now() - began) / 1000) * perSecond) + 1);
    while (took.length < due) {
      const at = performance.now();
      took.push(ask(took.length).then(() => performance.now() - at));
    }
    const before = performance.now();
    await wait(1);
    late.push(Math.max(0, performance.now() - before - 1));
  }
  const askerLateP99Ms = quantiles(late).p99Ms;
  return { perSecond, ...quantiles(await Promise.all(took)), askerLateP99Ms };
}

export function quantiles(milliseconds: readonly number[]): Pick<Paced, "p50Ms" | "p99Ms" | "longestMs"> {
  const sorted = milliseconds.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
  return { p50Ms: at(0.5), p99Ms: at(0.99), longestMs: sorted.at(-1) ?? Number.NaN };
}
