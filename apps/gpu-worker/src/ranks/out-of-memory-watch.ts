import { outOfMemoryKills } from "@hopwise/gnn-core/ranks";

/** For so many looks a kill explains a death: on a busy host a large process ends seconds after it was counted. */
const rememberedLooks = 10;

/**
 * Tells of a death that was just seen whether memory had run out: the kernel counts what it ends for that, without
 * names.
 */
export class OutOfMemoryWatch {
  readonly #count: () => number | null;
  /** What the last looks counted, oldest first. */
  readonly #counts: (number | null)[];

  constructor(count: () => number | null = outOfMemoryKills) {
    this.#count = count;
    this.#counts = [count()];
  }

  /** To be called every now and then: what was counted before the remembered looks explains no death any more. */
  look(): void {
    this.#counts.push(this.#count());
    if (this.#counts.length > rememberedLooks) this.#counts.shift();
  }

  /** Whether the kernel has ended a process since the oldest remembered look. */
  get hasKilled(): boolean {
    const now = this.#count();
    const before = this.#counts[0];
    return now !== null && typeof before === "number" && now > before;
  }
}
