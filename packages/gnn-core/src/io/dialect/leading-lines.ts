import type { Delimiter } from "./dialect.ts";

/** What stands before the header or the first row. */
export interface LeadingLines {
  readonly numLines: number;
  readonly comment: string;
  /** The last comment, without its sign: in some files it names the columns. */
  readonly lastComment: string | null;
  /** What a line `sep=;`, as Excel writes it, says. */
  readonly separator: Delimiter | null;
  readonly matrix: MatrixMarketHeader | null;
  readonly reasons: readonly string[];
}

export interface MatrixMarketHeader {
  readonly isSymmetric: boolean;
  /** Rows and columns, when the size line is there to be read. */
  readonly size: readonly [rows: number, columns: number] | null;
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
  const matrix = matrixMarketOf(lines);
  if (!matrix) return found.result(null);
  if (lines[found.numLines] !== undefined) found.numLines++;
  return found.result({ ...matrix, size: sizeOf(lines[found.numLines - 1] ?? "") });
}

class LeadingLineCounter {
  readonly #asked: string;
  numLines = 0;
  #numBlank = 0;
  #numComments = 0;
  #comment = "";
  #lastComment: string | null = null;
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
    this.#lastComment = line.replace(/^[#%/\s]+/, "").trimEnd();
    this.#numComments++;
    return true;
  }

  result(matrix: MatrixMarketHeader | null): LeadingLines {
    const reasons: string[] = [];
    if (this.#numBlank > 0) reasons.push(`Blank lines at the top are skipped (${this.#numBlank}).`);
    if (this.#numComments > 0)
      reasons.push(`Lines at the top that begin with ${this.#comment} are comments (${this.#numComments}).`);
    if (this.#separator) reasons.push(`The line sep=${this.#separator} at the top names the delimiter and is skipped.`);
    if (matrix) reasons.push("This is a MatrixMarket file: the line with the size of the matrix is no edge.");
    return {
      numLines: this.numLines,
      comment: this.#chosenComment(),
      lastComment: this.#lastComment,
      separator: this.#separator,
      matrix,
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

function matrixMarketOf([first = ""]: readonly string[]): Omit<MatrixMarketHeader, "size"> | null {
  const banner = /^%%MatrixMarket\s+matrix\s+coordinate\s+\S+\s+(\S+)/i.exec(first);
  return banner ? { isSymmetric: banner[1]!.toLowerCase() !== "general" } : null;
}

function sizeOf(line: string): readonly [number, number] | null {
  const [rows, columns] = line.trim().split(/\s+/).map(Number);
  return rows !== undefined && columns !== undefined && rows > 0 && columns > 0 ? [rows, columns] : null;
}
