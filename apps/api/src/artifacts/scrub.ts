import { setTimeout as delay } from "node:timers/promises";
import type { PrismaClient } from "../generated/prisma/client.ts";
import type { Logger } from "../logger.ts";
import { nextToCheck } from "./artifact-checks.ts";
import type { Integrity } from "./integrity.ts";

export interface ScrubOptions {
  readonly prisma: PrismaClient;
  readonly integrity: Pick<Integrity, "check">;
  readonly log: Logger;
  /** Every artifact is read once in this time; 0: none is. */
  readonly periodMs: number;
  readonly bytesPerSecond: number;
}

/** When nothing was due, or something went wrong. */
const lookAgainMs = 60_000;

/**
 * Reads all that is stored from time to time, slowly, so that a disk that forgets is noticed while there is still a
 * backup.
 */
export class Scrub {
  readonly #options: ScrubOptions;
  readonly #stop = new AbortController();
  #running: Promise<void> | null = null;
  #dueAt = 0;

  constructor(options: ScrubOptions) {
    this.#options = options;
  }

  /** Reads the artifact that was read longest ago beside the caller's work, unless one is being read or none is due. */
  startIfDue(): void {
    const { periodMs, log } = this.#options;
    if (periodMs === 0 || this.#running || this.#stop.signal.aborted || performance.now() < this.#dueAt) return;
    this.#running = this.#runAndRest().catch((err: unknown) => {
      if (!this.#stop.signal.aborted) log.warn({ err }, "reading what is stored was cut short");
    });
  }

  async #runAndRest(): Promise<void> {
    this.#dueAt = performance.now() + lookAgainMs;
    try {
      if (await this.runOne()) this.#dueAt = 0;
    } finally {
      this.#running = null;
    }
  }

  /** @returns whether one was due */
  async runOne(): Promise<boolean> {
    const { prisma, integrity, periodMs } = this.#options;
    const id = await nextToCheck(prisma, new Date(Date.now() - periodMs));
    const artifact = id && (await prisma.artifact.findUnique({ where: { id } }));
    if (!artifact) return false;
    await integrity.check(artifact, { again: true, onBytes: (bytes) => this.#pause(bytes) });
    return true;
  }

  /** Ends the reading in progress. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #pause(bytes: number): Promise<void> {
    await delay((1000 * bytes) / this.#options.bytesPerSecond, undefined, { signal: this.#stop.signal });
  }
}
