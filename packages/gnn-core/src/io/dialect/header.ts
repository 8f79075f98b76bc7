import { isUsualColumnName } from "../preview/column-names.ts";

/** Whether the first record names the columns, why, and what is in doubt about it. */
export interface HeaderVerdict {
  readonly header: boolean;
  readonly reason: string;
  readonly doubt: string | null;
}

const number = /^\s*[+-]?(\d+([.,]\d*)?|[.,]\d+)([eE][+-]?\d+)?\s*$/;
const missing = /^\s*(|nan|na|n\/a|null|none|\\n)\s*$/i;
const isNumber = (text: string) => number.test(text);

/**
 * Compares the first record with those below it: words above numbers are names, a number above numbers is a value, and
 * so is a text that comes again in its column.
 *
 * @param convention what files of this kind have when the records do not tell
 */
export function detectHeader(records: readonly (readonly string[])[], convention: boolean): HeaderVerdict {
  const [first = [], ...rest] = records;
  if (first.length > 2 && first.every((text, i) => text.trim() === String(i)))
    return verdict(true, "The first line counts its columns from 0, as pandas names columns without a name.");
  if (first.every((text) => isNumber(text) || missing.test(text))) return numbersOnly(first);
  const wordOverNumbers = first.findIndex((text, i) => isWord(text) && holdsNumbers(rest, i));
  if (wordOverNumbers >= 0)
    return verdict(true, `The first line names the columns: it has ${quoted(first[wordOverNumbers]!)} above numbers.`);
  if (first.some((text, i) => isNumber(text) && holdsNumbers(rest, i)))
    return verdict(false, "The first line holds a number in a column of numbers, so it is a row like the others.");
  if (first.some((text) => isUsualColumnName(text)))
    return verdict(true, `The first line names the columns: ${first.slice(0, 4).map(quoted).join(", ")}.`);
  const values = new Set(rest.flat());
  const again = first.find((text) => text.trim() !== "" && values.has(text));
  if (again !== undefined)
    return verdict(false, `The first line is a row like the others: ${quoted(again)} comes again further down.`);
  if (new Set(first).size < first.length)
    return verdict(false, "The first line holds the same text twice, so it is a row.");
  return undecided(first, convention);
}

function numbersOnly(first: readonly string[]): HeaderVerdict {
  const reason = "The first line holds only numbers, so it is a row like the others.";
  const isCount = first.length > 1 && first.every((text, i) => text.trim() === String(i));
  const doubt = `The first line (${shown(first)}) is read as a row. If it names the columns, switch the header on.`;
  return { header: false, reason, doubt: isCount ? doubt : null };
}

function undecided(first: readonly string[], convention: boolean): HeaderVerdict {
  const reason = convention
    ? "The first line is taken for the names of the columns, as files of this kind have them."
    : "The first line is taken for a row, as files of this kind have no names of columns.";
  const doubt = convention
    ? `The first line (${shown(first)}) is taken for the names of the columns. If it is a row, switch the header off.`
    : `The first line (${shown(first)}) is read as a row. If it names the columns, switch the header on.`;
  return { header: convention, reason, doubt };
}

function verdict(header: boolean, reason: string): HeaderVerdict {
  return { header, reason, doubt: null };
}

function isWord(text: string): boolean {
  return !isNumber(text) && !missing.test(text);
}

/** Whether the column below the first record holds numbers, empty cells apart. */
function holdsNumbers(rest: readonly (readonly string[])[], column: number): boolean {
  const values = rest.map((record) => record[column] ?? "").filter((text) => !missing.test(text));
  return values.length > 0 && values.every(isNumber);
}

function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 40));
}

function shown(first: readonly string[]): string {
  return `${first.slice(0, 4).join(", ").slice(0, 80)}${first.length > 4 ? ", …" : ""}`;
}
