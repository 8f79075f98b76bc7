import { outOfMemoryKills } from "@hopwise/gnn-core/ranks";

/**
 * Tells of a death that was just seen whether memory had run out: the kernel counts what it ends for that, without
 * names.
 */
export class OutOfMemoryWatch {
  readonly #count: () => number | null;
  #beforeLast: number | null;
  #last: number | null;

  constructor(count: () => number | null = outOfMemoryKills) {
    this.#count = count;
    this.#beforeLast = this.#last = count();
  }

  /** To be called every now and then: what was counted before the last two looks explains no death any more. */
  look(): void {
    this.#beforeLast = this.#last;
    this.#last = this.#count();
  }

  /** Whether the kernel has ended a process since the look before the last. */
  get hasKilled(): boolean {
    const now = this.#count();
    return now !== null && this.#beforeLast !== null && now > this.#beforeLast;
  }
}
