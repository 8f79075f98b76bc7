const plainNumber = /^-?\d+(?:\.\d+)?$/;

/** Distinct texts, numbered as they come and renumbered at the end in sorted order. */
export class TextCodes {
  readonly #codes = new Map<string, number>();

  /** Provisional code of the text: order of first appearance. */
  codeOf(text: string): number {
    const known = this.#codes.get(text);
    if (known !== undefined) return known;
    this.#codes.set(text, this.#codes.size);
    return this.#codes.size - 1;
  }

  /** The texts sorted (numerically when all are plain numbers), and the final code of each provisional one. */
  finish(): { texts: string[]; finalCodes: Int32Array } {
    const texts = sortTexts([...this.#codes.keys()]);
    const finalCodes = new Int32Array(texts.length);
    texts.forEach((text, final) => {
      finalCodes[this.#codes.get(text)!] = final;
    });
    return { texts, finalCodes };
  }
}

function byText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function sortTexts(texts: readonly string[]): string[] {
  if (!texts.every((text) => plainNumber.test(text))) return texts.toSorted(byText);
  return texts.toSorted((a, b) => Number(a) - Number(b) || byText(a, b));
}
