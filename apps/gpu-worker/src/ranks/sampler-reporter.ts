import type { Member, StageEvent } from "@hopwise/contracts";
import { readProcessUsage, type Sampler } from "@hopwise/gnn-core/ranks";

export type OnReport = (event: Extract<StageEvent, { type: "member" }>) => void;

const everyMs = 500;

/** Says every half second in which it draws how many batches a sampler process has drawn (its steps), and how fast. */
export class SamplerReporter {
  readonly #member: Member;
  readonly #onEvent: OnReport;
  #batches = 0;
  /** Since the last report */
  #recent = { batches: 0, seeds: 0, drawMs: 0, since: performance.now() };

  constructor(member: Member, onEvent: OnReport) {
    this.#member = member;
    this.#onEvent = onEvent;
  }

  /** Wraps the sampler so that its batches are counted. */
  counting(sampler: Sampler): Sampler {
    return {
      ...sampler,
      sample: async (seeds, key, signal) => {
        const startedAt = performance.now();
        const blocks = await sampler.sample(seeds, key, signal);
        const now = performance.now();
        this.#batches += 1;
        this.#recent.batches += 1;
        this.#recent.seeds += seeds.length;
        this.#recent.drawMs += now - startedAt;
        if (now - this.#recent.since >= everyMs) this.report();
        return blocks;
      },
    };
  }

  /** Nothing is said when nothing was drawn since the last report. */
  report(): void {
    const { batches, seeds, drawMs, since } = this.#recent;
    if (batches === 0) return;
    const now = performance.now();
    this.#recent = { batches: 0, seeds: 0, drawMs: 0, since: now };
    const nothing = { gather: 0, forward: 0, backward: 0, allReduce: 0, optimizer: 0, wait: 0 };
    this.#onEvent({
      type: "member",
      member: this.#member,
      step: this.#batches,
      device: "cpu",
      seedsPerSecond: (seeds / (now - since)) * 1000,
      breakdown: { ...nothing, sample: drawMs / batches },
      rssBytes: process.memoryUsage.rss(),
      usage: readProcessUsage(),
      localRows: 0,
      remoteRows: 0,
      cachedRows: 0,
    });
  }
}
