import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import type { Collective, Sampler } from "@hopwise/gnn-core/ranks";

const pulseFile = 4;

/** The rank's side of the stall watch: a counter of its work and whether it waits for its peers. */
export class PulseCounters {
  readonly #counters = new Int32Array(new SharedArrayBuffer(8));

  /** Starts the watchdog thread, which reports the counters and outlives any blocking call. */
  startWatchdog(): void {
    const entry = new URL(`./watchdog${extname(import.meta.url)}`, import.meta.url);
    const workerData = { counters: this.#counters, parent: process.ppid, pulseFile };
    // It inherits this process's options: named one by one, those of V8 would be refused.
    new Worker(entry, { workerData, env: {} }).unref();
  }

  /** A process that begins a step waits for nobody, whatever it did in the one before. */
  begin(): void {
    Atomics.store(this.#counters, 1, 0);
  }

  advance(): void {
    Atomics.add(this.#counters, 0, 1);
  }

  /** Wraps the collective so that waiting in it is noted. */
  watching(collective: Collective): Collective {
    const waiting = async (operation: Promise<void>): Promise<void> => {
      Atomics.store(this.#counters, 1, 1);
      try {
        await operation;
      } finally {
        Atomics.store(this.#counters, 1, 0);
        this.advance();
      }
    };
    return {
      rank: collective.rank,
      worldSize: collective.worldSize,
      timeoutMs: collective.timeoutMs,
      allReduceSum: (values) => waiting(collective.allReduceSum(values)),
      barrier: () => waiting(collective.barrier()),
      close: () => collective.close(),
    };
  }

  /** Wraps the sampler of a process that only draws: while nobody asks, it counts as waiting for its peers. */
  watchingSampler(sampler: Sampler): Sampler {
    let numDrawing = 0;
    const note = (change: number) => {
      numDrawing += change;
      Atomics.store(this.#counters, 1, numDrawing === 0 ? 1 : 0);
    };
    note(0);
    return {
      ...sampler,
      sample: async (seeds, key, signal) => {
        note(1);
        try {
          return await sampler.sample(seeds, key, signal);
        } finally {
          note(-1);
          this.advance();
        }
      },
    };
  }
}
