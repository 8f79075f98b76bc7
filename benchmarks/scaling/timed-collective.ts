import type { Collective } from "../../packages/gnn-core/src/dist/collective.ts";

/** Nanoseconds of the host's monotonic clock, which all its processes share. */
export const hostNow = (): number => Number(process.hrtime.bigint());

/** One all-reduce as one rank saw it */
export interface Reduction {
  readonly arrivedNs: number;
  readonly leftNs: number;
}

/** Notes when this rank comes to each all-reduce and when it leaves it. */
export class TimedCollective implements Collective {
  readonly rank: number;
  readonly worldSize: number;
  readonly timeoutMs: number;
  readonly reductions: Reduction[] = [];
  readonly #inner: Collective;

  constructor(inner: Collective) {
    this.#inner = inner;
    this.rank = inner.rank;
    this.worldSize = inner.worldSize;
    this.timeoutMs = inner.timeoutMs;
  }

  async allReduceSum(values: Float32Array): Promise<void> {
    const arrivedNs = hostNow();
    await this.#inner.allReduceSum(values);
    this.reductions.push({ arrivedNs, leftNs: hostNow() });
  }

  barrier(): Promise<void> {
    return this.#inner.barrier();
  }

  close(): Promise<void> {
    return this.#inner.close();
  }
}
