import { NumberHistogram } from "./number-histogram.ts";

export interface NumberFacts {
  readonly min: number;
  readonly max: number;
  readonly mean: number;
  /** Divides by the count of values, not by one less */
  readonly deviation: number;
  readonly zeros: number;
  readonly histogram: { readonly edges: number[]; readonly counts: number[] };
}

/** Facts about a column of numbers, in one pass and constant memory. NaN stands for a cell that is empty. */
export class NumberProfile {
  #count = 0;
  #missing = 0;
  #mean = 0;
  /** Sum of the squared distances from the mean, as Welford (1962) updates it */
  #squares = 0;
  #min = Number.POSITIVE_INFINITY;
  #max = Number.NEGATIVE_INFINITY;
  #zeros = 0;
  #isWhole = true;
  readonly #histogram = new NumberHistogram();

  get missing(): number {
    return this.#missing;
  }

  /** Counts the number as it is stored, which is as float32. */
  add(given: number): void {
    const value = Math.fround(given);
    if (!Number.isFinite(value)) {
      this.#missing++;
      return;
    }
    this.#count++;
    const distance = value - this.#mean;
    this.#mean += distance / this.#count;
    this.#squares += distance * (value - this.#mean);
    if (value < this.#min) this.#min = value;
    if (value > this.#max) this.#max = value;
    if (value === 0) this.#zeros++;
    this.#isWhole &&= Number.isInteger(value);
    this.#histogram.add(value);
  }

  /** null: no value is known */
  finish(): NumberFacts | null {
    if (this.#count === 0) return null;
    return {
      min: this.#min,
      max: this.#max,
      mean: this.#mean,
      deviation: Math.sqrt(this.#squares / this.#count),
      zeros: this.#zeros,
      histogram: this.#histogram.finish(this.#isWhole),
    };
  }
}
