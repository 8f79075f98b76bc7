/** Distinct texts are counted up to here. */
export const maxDistinct = 10_000;

/** Facts about a column of texts, in one pass and bounded memory. */
export class TextProfile {
  #missing = 0;
  readonly #texts = new Set<string>();
  readonly #missingWords: ReadonlySet<string>;

  constructor(missingWords: readonly string[]) {
    this.#missingWords = new Set(missingWords);
  }

  get missing(): number {
    return this.#missing;
  }

  /** null: more than 10,000 */
  get distinct(): number | null {
    return this.#texts.size > maxDistinct ? null : this.#texts.size;
  }

  /** @param cell a number stands for the text that it is written as */
  add(cell: string | number | null): void {
    if (typeof cell === "number") {
      if (this.#texts.size <= maxDistinct) this.#texts.add(String(cell));
      return;
    }
    const text = (cell ?? "").trim();
    if (text === "" || this.#missingWords.has(text)) this.#missing++;
    else if (this.#texts.size <= maxDistinct) this.#texts.add(text);
  }
}
