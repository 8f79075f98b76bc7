import type { DecimalSign } from "./decimal-sign.ts";

/** What may stand between fields; `\u0001` is Hive's, `::` that of MovieLens. */
export const delimiters = [",", "\t", ";", "|", "\u0001", "^", "~", "!", "::", "||", "\t\t", "^|^", "|~|"] as const;

/** What separates the fields of a line; `blanks`: runs of spaces and tabs. */
export type Delimiter = (typeof delimiters)[number] | "blanks";

/** What stands before a quotation mark within quoted text: another one, as RFC 4180 has it, or a backslash */
export type Escape = '"' | "\\";

/** How one text file is written, as its first lines show it or as somebody has said. */
export interface Dialect {
  readonly delimiter: Delimiter;
  /** Whether the first line after those skipped names the columns. */
  readonly header: boolean;
  /** What lines without data begin with; empty: there are none such. */
  readonly comment: string;
  /** Lines before the header or the first row: blank ones, comments, `sep=;`, the size line of a matrix. */
  readonly skipLines: number;
  /** What stands before the fraction of a number */
  readonly decimal: DecimalSign;
  readonly escape: Escape;
  /** Whether a comment says that edges have a direction; null: none speaks of it. */
  readonly directed: boolean | null;
  /** Names that a comment or the format gives the columns of a file without a header. */
  readonly columnNames: readonly string[] | null;
  /** Why each of these was chosen, as sentences for whoever uploaded the file. */
  readonly reasons: readonly string[];
  /** Choices that the file does not decide: sentences that say what was assumed and how to change it. */
  readonly doubts: readonly string[];
}

/** What somebody has decided; the rest is detected. */
export interface DialectChoice {
  readonly delimiter?: Delimiter | "auto";
  readonly header?: boolean | "auto";
  readonly decimal?: DecimalSign | "auto";
  readonly escape?: Escape | "auto";
  /** `none`: no line is a comment. */
  readonly comment?: string;
  /** Names that the format gives the columns of a file without a header */
  readonly columnNames?: readonly string[];
}

const delimiterNames: Readonly<Record<Delimiter, string>> = {
  ",": "commas",
  "\t": "tabs",
  ";": "semicolons",
  "|": "vertical bars",
  "\u0001": "control characters 1, as Hive writes them",
  "^": "circumflexes (^)",
  "~": "tildes (~)",
  "!": "exclamation marks",
  "::": "double colons (::)",
  "||": "double vertical bars (||)",
  "\t\t": "double tabs",
  "^|^": "signs ^|^",
  "|~|": "signs |~|",
  blanks: "spaces or tabs",
};

/** Whether quotes around a field are no part of it. What writes these delimiters has no quotes for fields. */
export function hasQuotes(delimiter: string): boolean {
  return delimiter !== "\u0001" && delimiter !== "::";
}

export function nameOfDelimiter(delimiter: Delimiter): string {
  return delimiterNames[delimiter];
}
