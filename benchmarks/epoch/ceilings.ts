import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { compileProgramApart } from "../../script/lib/compile-program.mjs";
import { median } from "./cpu-clock.ts";

/** What this core can do at best, of one thread. */
export interface Ceilings {
  /** 10⁹ floating-point operations per CPU second in sgemm [100,000 × 256]·[256 × 256]. */
  readonly sgemmGflops: number;
  /** 10⁹ bytes read and written per CPU second by a copy of 128 MiB. */
  readonly copyGBs: number;
}

/** Medians where the peers were timed (same shapes, one core), by docs of the peers' run: Xeon with AVX-512. */
export const peerMachine: Ceilings = { sgemmGflops: 154, copyGBs: 14.3 };

/**
 * Measures the ceilings between the batches, in a process of its own: others' load then bears on both alike, and the
 * arrays count neither as our CPU time nor as our memory.
 */
export class CeilingProbe {
  readonly #child: ChildProcess;
  readonly #found: Ceilings[] = [];

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  static async start(isSmall: boolean): Promise<CeilingProbe> {
    const script = await compileProgramApart(new URL("./ceiling-process.ts", import.meta.url));
    return new CeilingProbe(fork(script, isSmall ? ["--small"] : []));
  }

  async measure(): Promise<void> {
    const answer = once(this.#child, "message");
    this.#child.send("measure");
    const [found] = (await answer) as [Ceilings];
    this.#found.push(found);
  }

  /** Ends the process. @returns the medians */
  close(): Ceilings {
    this.#child.disconnect();
    return {
      sgemmGflops: median(this.#found.map(({ sgemmGflops }) => sgemmGflops)),
      copyGBs: median(this.#found.map(({ copyGBs }) => copyGBs)),
    };
  }
}
