/** Bins at most; a range that needs more has its bins merged in pairs. */
const maxBins = 24;
/** Width 2^-149 tells all float32 apart. */
const finest = -149;

/**
 * A histogram of numbers that come one by one, in memory that does not grow with them. Bins are as wide as a power of
 * two and begin at its multiples: the narrowest for which all numbers lie in at most 24 bins. So the bins, and their
 * counts, depend on the numbers alone, not on their order.
 */
export class NumberHistogram {
  /** Bins are 2^exponent wide; bin i holds [i · 2^exponent, (i + 1) · 2^exponent). */
  #exponent = finest;
  #counts = new Map<number, number>();
  #low = Number.POSITIVE_INFINITY;
  #high = Number.NEGATIVE_INFINITY;

  /** @param value a finite float32; a double could be too large for the finest bins */
  add(value: number): void {
    // A division by a power of two is exact, and so is the whole number below it.
    const bin = Math.floor(value / 2 ** this.#exponent) + 0;
    this.#counts.set(bin, (this.#counts.get(bin) ?? 0) + 1);
    if (bin >= this.#low && bin <= this.#high) return;
    this.#low = Math.min(this.#low, bin);
    this.#high = Math.max(this.#high, bin);
    while (this.#high - this.#low >= maxBins) this.#merge();
  }

  /**
   * The bins from the lowest number to the highest, empty ones among them.
   *
   * @param isWhole whether all numbers are whole: then no bin is narrower than 1
   */
  finish(isWhole: boolean): { edges: number[]; counts: number[] } {
    if (this.#counts.size === 0) return { edges: [], counts: [] };
    const narrowest = isWhole ? 0 : finest;
    while (this.#exponent < narrowest) this.#merge();
    // All numbers are the same: the bin must be so wide that a double tells its edges apart.
    while (this.#low + 1 === this.#low) this.#merge();
    const numBins = this.#high - this.#low + 1;
    const counts = Array.from({ length: numBins }, (_, i) => this.#counts.get(this.#low + i) ?? 0);
    return { edges: this.#edges(numBins), counts };
  }

  #edges(numBins: number): number[] {
    return Array.from({ length: numBins + 1 }, (_, i) => (this.#low + i) * 2 ** this.#exponent);
  }

  #merge(): void {
    const merged = new Map<number, number>();
    for (const [bin, count] of this.#counts) {
      const wider = Math.floor(bin / 2);
      merged.set(wider, (merged.get(wider) ?? 0) + count);
    }
    this.#counts = merged;
    this.#low = Math.floor(this.#low / 2);
    this.#high = Math.floor(this.#high / 2);
    this.#exponent++;
  }
}
