import type { Delimiter } from "./dialect.ts";

/** What stands before the header or the first row. */
export interface LeadingLines {
  readonly numLines: number;
  readonly comment: string;
  /** The last comment, without its sign: in some files it names the columns. */
  readonly lastComment: string | null;
  /** What a comment `# Directed graph`, as SNAP writes it, says of the edges; null: none does. */
  readonly directed: boolean | null;
  /** What a line `sep=;`, as Excel writes it, says. */
  readonly separator: Delimiter | null;
  /** Whether they are those of a MatrixMarket file */
  readonly isMatrix: boolean;
  readonly reasons: readonly string[];
}

const signs = ["#", "%", "//"];
const separators: Readonly<Record<string, Delimiter>> = { ",": ",", ";": ";", "|": "|", "\t": "\t" };

/**
 * Counts the lines that hold no data: blank ones, comments, Excel's `sep=;`, and the banner and size line of a
 * MatrixMarket file.
 *
 * @param asked sign of comments that somebody has chosen; `auto`: `#`, `%` or `//`, whichever the first comment has
 */
export function leadingLines(lines: readonly string[], asked: string): LeadingLines {
  const found = new LeadingLineCounter(asked);
  while (found.takes(lines[found.numLines])) found.numLines++;
  const isMatrix = /^%%MatrixMarket\s+matrix\s+coordinate\s/i.test(lines[0] ?? "");
  if (isMatrix && lines[found.numLines] !== undefined) found.numLines++;
  return found.result(isMatrix);
}

class LeadingLineCounter {
  readonly #asked: string;
  numLines = 0;
  #numBlank = 0;
  #numComments = 0;
  #comment = "";
  #lastComment: string | null = null;
  #directed: boolean | null = null;
  #separator: Delimiter | null = null;

  constructor(asked: string) {
    this.#asked = asked;
  }

  takes(line: string | undefined): boolean {
    if (line === undefined) return false;
    if (line.trim() === "") {
      this.#numBlank++;
      return true;
    }
    const separator = /^"?sep=(.)"?\s*$/i.exec(line)?.[1];
    if (separator !== undefined && this.#separator === null && separators[separator]) {
      this.#separator = separators[separator];
      return true;
    }
    const sign = this.#signOf(line);
    if (sign === null) return false;
    this.#comment = sign;
    const comment = line.replace(/^[#%/\s]+/, "").trimEnd();
    this.#numComments++;
    const said = /^(un)?directed graph\b/i.exec(comment);
    if (said) this.#directed ??= said[1] === undefined;
    else this.#lastComment = comment;
    return true;
  }

  result(isMatrix: boolean): LeadingLines {
    const reasons: string[] = [];
    if (this.#numBlank > 0) reasons.push(`Blank lines at the top are skipped (${this.#numBlank}).`);
    if (this.#numComments > 0)
      reasons.push(`Lines at the top that begin with ${this.#comment} are comments (${this.#numComments}).`);
    if (this.#separator) reasons.push(`The line sep=${this.#separator} at the top names the delimiter and is skipped.`);
    if (this.#directed !== null)
      reasons.push(`A comment says that the graph is ${this.#directed ? "directed" : "undirected"}.`);
    if (isMatrix) reasons.push("This is a MatrixMarket file: the line with the size of the matrix is no edge.");
    return {
      numLines: this.numLines,
      comment: this.#chosenComment(),
      lastComment: this.#lastComment,
      directed: this.#directed,
      separator: this.#separator,
      isMatrix,
      reasons,
    };
  }

  #chosenComment(): string {
    if (this.#asked === "none") return "";
    return this.#asked === "auto" ? this.#comment : this.#asked;
  }

  #signOf(line: string): string | null {
    if (this.#asked === "none") return null;
    if (this.#asked !== "auto") return line.startsWith(this.#asked) ? this.#asked : null;
    const sign = signs.find((one) => line.startsWith(one)) ?? null;
    return this.#comment === "" || sign === this.#comment ? sign : null;
  }
}
