import type { Logger } from "../log.ts";
import { type RankBirth, RankProcess, type RankTenant } from "./rank-process.ts";

interface Idle {
  readonly kind: string;
  readonly leave: NodeJS.Timeout;
}

/** Longer than a job needs from one stage to the next. */
const idleMs = 10_000;

/**
 * Rank processes between two stages. A process takes a second to load what it computes with; a job has six stages and
 * more, so a process that is free stays for a moment and serves the next stage of the same kind.
 */
export class RankPool {
  readonly #idle = new Map<RankProcess, Idle>();
  readonly #log: Logger;

  constructor(log: Logger) {
    this.#log = log;
  }

  /** An idle process born alike, or else a new one. */
  take(birth: RankBirth, tenant: RankTenant): RankProcess {
    const kind = JSON.stringify(birth);
    for (const [process, idle] of this.#idle) {
      if (idle.kind !== kind || process.hasEnded) continue;
      this.#forget(process);
      process.serve(tenant);
      return process;
    }
    return new RankProcess(birth, tenant);
  }

  /** Keeps a process that is free; nobody may speak to it any more. */
  giveBack(process: RankProcess): void {
    if (process.hasEnded) return;
    process.serve({
      log: this.#log,
      onMessage: () => undefined,
      onPulse: () => undefined,
      onExit: () => this.#forget(process),
    });
    const leave = setTimeout(() => this.#dismiss(process), idleMs);
    this.#idle.set(process, { kind: JSON.stringify(process.birth), leave });
  }

  close(): void {
    for (const process of this.#idle.keys()) this.#dismiss(process);
  }

  #dismiss(process: RankProcess): void {
    this.#forget(process);
    process.kill("SIGTERM");
  }

  #forget(process: RankProcess): void {
    clearTimeout(this.#idle.get(process)?.leave);
    this.#idle.delete(process);
  }
}
