import { readFileSync } from "node:fs";

const everyMs = 50;
/** How long the loop may not turn */
const stallMs = 1000;
/** Milliseconds of one tick of the clock by which the kernel counts the time of processes */
const msPerTick = 10;

/**
 * Asks a service for a sign of life again and again, and notes when its main thread computed for longer than a second
 * without giving one. The thread's own time counts, not the clock's: the machine may be busy with others.
 */
export class EventLoopWatch {
  readonly #url: string;
  readonly #pid: () => number;
  #isRunning = false;
  #loop: Promise<void> = Promise.resolve();
  #worstMs = 0;

  constructor(url: string, pid: () => number) {
    this.#url = url;
    this.#pid = pid;
  }

  start(): void {
    this.#isRunning = true;
    this.#loop = this.#run();
  }

  /** What is to be said of the longest stall since this was last asked. */
  takeStall(): string | null {
    const worst = this.#worstMs;
    this.#worstMs = 0;
    return worst > stallMs ? `the event loop stood still for ${(worst / 1000).toFixed(1)} s of computing` : null;
  }

  async stop(): Promise<void> {
    this.#isRunning = false;
    await this.#loop;
  }

  async #run(): Promise<void> {
    while (this.#isRunning) {
      const before = this.#computedMs();
      const answered = await fetch(`${this.#url}/healthz`).catch(() => null);
      await answered?.arrayBuffer().catch(() => undefined);
      const after = this.#computedMs();
      if (before !== null && after !== null) this.#worstMs = Math.max(this.#worstMs, after - before);
      await new Promise((resolve) => setTimeout(resolve, everyMs));
    }
  }

  /** CPU time of the main thread; null when the process is gone. */
  #computedMs(): number | null {
    try {
      const pid = this.#pid();
      const fields = readFileSync(`/proc/${pid}/task/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
      return (Number(fields[11]) + Number(fields[12])) * msPerTick;
    } catch {
      return null;
    }
  }
}
