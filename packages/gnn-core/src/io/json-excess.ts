/** How much a text may ask of whoever parses it. */
export interface TextBounds {
  /** Levels of arrays and objects inside each other. */
  readonly depth: number;
  /** Values: numbers, texts, arrays, objects. */
  readonly values: number;
}

const quote = '"'.charCodeAt(0);
const backslash = "\\".charCodeAt(0);
const comma = ",".charCodeAt(0);
const openers = new Set(["[".charCodeAt(0), "{".charCodeAt(0)]);
const closers = new Set(["]".charCodeAt(0), "}".charCodeAt(0)]);

/**
 * What a JSON text has too much of, found in one pass before anything is parsed; null when it is within the bounds.
 * It may say anything of text that is no JSON: `JSON.parse` stops at the first character that does not fit, and up to
 * there the count is exact.
 */
export function jsonExcess(text: string, bounds: TextBounds): string | null {
  let depth = 0;
  let values = 1;
  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i);
    if (char === quote) {
      i = endOfString(text, i);
    } else if (char === comma) {
      values++;
    } else if (openers.has(char)) {
      depth++;
      values++;
      if (depth > bounds.depth) return `it is nested deeper than ${bounds.depth} levels (character ${i + 1})`;
    } else if (closers.has(char)) {
      depth--;
    }
    if (values > bounds.values) return `it has more than ${bounds.values} values (character ${i + 1})`;
  }
  return null;
}

/** The index of the closing quote, or of the last character of a text that has none. */
function endOfString(text: string, start: number): number {
  let i = start + 1;
  while (i < text.length) {
    const char = text.charCodeAt(i);
    if (char === quote) return i;
    i += char === backslash ? 2 : 1;
  }
  return text.length;
}
