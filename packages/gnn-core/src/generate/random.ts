/** Seeded random numbers (sfc32): the same seed gives the same numbers on every machine. */
export class SeededRandom {
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;
  #spare: number | null = null;

  constructor(seed: number) {
    this.#a = 0x9e3779b9;
    this.#b = 0x243f6a88;
    this.#c = seed | 0;
    for (let i = 0; i < 16; i++) this.#next();
  }

  /** Uniform in [0, 1). */
  uniform(): number {
    return this.#next() / 2 ** 32;
  }

  /** Uniform in 0, 1 … bound − 1. */
  integer(bound: number): number {
    return Math.floor(this.uniform() * bound);
  }

  /** Standard normal (Box-Muller). */
  normal(): number {
    if (this.#spare !== null) {
      const spare = this.#spare;
      this.#spare = null;
      return spare;
    }
    const radius = Math.sqrt(-2 * Math.log(1 - this.uniform()));
    const angle = 2 * Math.PI * this.uniform();
    this.#spare = radius * Math.sin(angle);
    return radius * Math.cos(angle);
  }

  /** A random order of 0, 1 … length − 1 (Fisher-Yates). */
  permutation(length: number): Int32Array {
    const order = Int32Array.from({ length }, (_, i) => i);
    for (let i = length - 1; i > 0; i--) {
      const j = this.integer(i + 1);
      [order[i], order[j]] = [order[j]!, order[i]!];
    }
    return order;
  }

  #next(): number {
    const sum = (this.#a + this.#b + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0;
    return sum >>> 0;
  }
}
