import { setTimeout as wait } from "node:timers/promises";
import type { PrismaClient } from "../generated/prisma/client.ts";
import { type Credential, viewersOf } from "./authenticate.ts";

/** Bounds the queries to twenty a second, however many ask. */
const gatherMs = 50;
/** What comes beyond in that time is answered as if it were no good: memory is bounded too. */
const mostAtOnce = 5000;

/** Looks up whether keys and sessions are good, all that are asked for within a moment in one query. */
export class GatheredLookup {
  readonly #prisma: PrismaClient;
  readonly #asked = new Map<string, Credential>();
  #next: Promise<ReadonlySet<string>> | null = null;

  constructor(prisma: PrismaClient) {
    this.#prisma = prisma;
  }

  async isGood(credential: Credential): Promise<boolean> {
    if (this.#asked.size >= mostAtOnce && !this.#asked.has(credential.hash)) return false;
    this.#asked.set(credential.hash, credential);
    this.#next ??= this.#lookUpSoon();
    return (await this.#next).has(credential.hash);
  }

  async #lookUpSoon(): Promise<ReadonlySet<string>> {
    await wait(gatherMs);
    const credentials = [...this.#asked.values()];
    this.#asked.clear();
    this.#next = null;
    return new Set((await viewersOf(this.#prisma, credentials)).keys());
  }
}
