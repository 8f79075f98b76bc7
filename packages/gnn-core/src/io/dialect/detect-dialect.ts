import { type DecimalVerdict, detectDecimalSign } from "./decimal-sign.ts";
import { detectDelimiter, recordsOf } from "./delimiter.ts";
import {
  type Delimiter,
  type Dialect,
  type DialectChoice,
  type Escape,
  hasQuotes,
  nameOfDelimiter,
} from "./dialect.ts";
import { detectEscape } from "./escape.ts";
import { detectHeader } from "./header.ts";
import { type LeadingLines, leadingLines } from "./leading-lines.ts";

/** The beginning of a text file. */
export interface TextHead {
  readonly text: string;
  /** Whether it is the whole file; else its last line may be cut off. */
  readonly isWhole: boolean;
}

const matrixNames = ["src", "dst", "weight"];

/**
 * Tells from the beginning of a text file how it is written. What `choice` says is taken as it is; everything else is
 * detected, and said with its reason.
 */
export function detectDialect(head: TextHead, choice: DialectChoice = {}): Dialect {
  const lines = head.text.split(/\r\n|\n|\r/);
  const leading = leadingLines(lines, choice.comment ?? "auto");
  const body = textFromLine(head.text, leading.numLines);
  const escape = escapeOf(choice, body, head.isWhole);
  const delimiter = chosenDelimiter(choice, leading, body, head.isWhole, escape);
  const records = recordsOf(body, delimiter, head.isWhole, undefined, escape);
  const columnNames = leading.isMatrix
    ? matrixNames.slice(0, records[0]?.length ?? 2)
    : namesInComment(leading, delimiter, records);
  const reasons = [...leading.reasons];
  const doubts: string[] = [];
  let header = false;
  if (choice.header !== undefined && choice.header !== "auto") header = choice.header;
  else if (leading.isMatrix) reasons.push("Its columns are the row, the column and, if there is one, the value.");
  else if (columnNames) reasons.push(`The last comment names the columns: ${columnNames.join(", ")}.`);
  else if (records.length > 0) {
    const found = detectHeader(records, delimiter !== "blanks" && hasQuotes(delimiter));
    header = found.header;
    reasons.push(found.reason);
    if (found.doubt) doubts.push(found.doubt);
  }
  if (records.some(({ length }) => length > 1)) reasons.push(`Its fields stand between ${nameOfDelimiter(delimiter)}.`);
  if (escape === "\\") {
    reasons.push("A backslash stands before quotes inside quoted values.");
    if (/(^|[^\\])(\\\\)*\\[^"\\]/.test(body))
      doubts.push("Backslashes before other signs than quotes and backslashes are dropped, \\n is read as n.");
  }
  const { decimal, ...said } = decimalOf(choice, records);
  if (said.reason !== null) reasons.push(said.reason);
  if (said.doubt !== null) doubts.push(said.doubt);
  return {
    delimiter,
    header,
    comment: leading.comment,
    skipLines: leading.numLines,
    decimal,
    escape,
    directed: leading.directed,
    columnNames: header ? null : columnNames,
    reasons,
    doubts,
  };
}

/** The text from a line (counted from 0) on. */
export function textFromLine(text: string, line: number): string {
  const ends = /\r\n|\n|\r/g;
  for (let i = 0; i < line; i++) if (ends.exec(text) === null) return "";
  return text.slice(ends.lastIndex);
}

function escapeOf({ escape = "auto", delimiter = "auto" }: DialectChoice, body: string, isWhole: boolean): Escape {
  if (escape !== "auto") return escape;
  return delimiter === "blanks" ? '"' : detectEscape(body, isWhole, delimiter);
}

function chosenDelimiter(
  choice: DialectChoice,
  leading: LeadingLines,
  body: string,
  isWhole: boolean,
  escape: Escape,
): Delimiter {
  if (choice.delimiter !== undefined && choice.delimiter !== "auto") return choice.delimiter;
  if (leading.isMatrix) return "blanks";
  return leading.separator ?? detectDelimiter(body, isWhole, escape);
}

function decimalOf({ decimal = "auto" }: DialectChoice, records: readonly (readonly string[])[]): DecimalVerdict {
  return decimal === "auto" ? detectDecimalSign(records.flat()) : { decimal, reason: null, doubt: null };
}

/** `# FromNodeId ToNodeId`: as many words as there are columns, none of them a number or the same as another. */
function namesInComment(
  { lastComment }: LeadingLines,
  delimiter: Delimiter,
  [first]: readonly (readonly string[])[],
): readonly string[] | null {
  if (lastComment === null || first === undefined || first.length < 2) return null;
  const splits = [
    recordsOf(lastComment, delimiter, true)[0],
    lastComment.split(/[ \t]+/),
    lastComment.split(/\s*,\s*/),
  ];
  const names = splits.find((words) => words?.length === first.length);
  if (!names || names.some((name) => name.trim() === "" || /^[\d.:]+$/.test(name) || name.endsWith(":"))) return null;
  return new Set(names).size === names.length ? names.map((name) => name.trim()) : null;
}
