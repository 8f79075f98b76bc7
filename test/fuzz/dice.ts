import * as fc from "fast-check";
import { SeededRandom } from "../../packages/gnn-core/src/generate/random.ts";
import { hostileText, hostileValue } from "./hostile.ts";

/** The random choices of one case: the same seed, target and index give the same case, whatever ran before it. */
export class Dice {
  readonly #random: SeededRandom;

  constructor(seed: number, salt: number, index: number) {
    this.#random = new SeededRandom(
      Math.imul(seed + 1, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b) ^ Math.imul(salt + 1, 0xc2b2ae35),
    );
  }

  /** Uniform in 0, 1 … bound − 1. */
  integer(bound: number): number {
    return this.#random.integer(bound);
  }

  chance(probability: number): boolean {
    return this.#random.uniform() < probability;
  }

  pick<T>(from: readonly T[]): T {
    if (from.length === 0) throw new Error("There is nothing to pick from.");
    return from[this.integer(from.length)] as T;
  }

  times<T>(count: number, make: (index: number) => T): T[] {
    return Array.from({ length: count }, (_, i) => make(i));
  }

  sample<T>(arbitrary: fc.Arbitrary<T>): T {
    return fc.sample(arbitrary, { seed: this.integer(2 ** 31), numRuns: 1 })[0] as T;
  }

  hostileText(): string {
    return this.sample(hostileText);
  }

  hostileValue(): unknown {
    return this.sample(hostileValue);
  }
}
