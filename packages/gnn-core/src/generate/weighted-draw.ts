/**
 * Draws indices in proportion to positive weights, from all of them or from a range, in constant expected time: a
 * table says where the search for a draw begins, which is at most a few steps before where it ends.
 */
export class WeightedDraw {
  /** sums[i] = weights[0] + … + weights[i − 1] */
  readonly #sums: Float64Array;
  readonly #guide: Int32Array;
  readonly #perSlot: number;

  constructor(weights: Float64Array) {
    const count = weights.length;
    this.#sums = new Float64Array(count + 1);
    for (let i = 0; i < count; i++) this.#sums[i + 1] = this.#sums[i]! + weights[i]!;
    this.#perSlot = count / this.#sums[count]!;
    this.#guide = new Int32Array(count + 1);
    let at = 0;
    for (let slot = 0; slot <= count; slot++) {
      while (at < count - 1 && this.#sums[at + 1]! * this.#perSlot <= slot) at++;
      this.#guide[slot] = at;
    }
  }

  /** An index in [first, end), for `uniform` in [0, 1). */
  draw(uniform: number, first: number, end: number): number {
    const sums = this.#sums;
    const target = sums[first]! + uniform * (sums[end]! - sums[first]!);
    let at = Math.max(first, this.#guide[Math.floor(target * this.#perSlot)]!);
    while (at < end - 1 && sums[at + 1]! <= target) at++;
    return at;
  }
}
