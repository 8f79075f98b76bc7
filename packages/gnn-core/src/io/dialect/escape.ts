import { CsvScanner } from "../csv/scan-csv.ts";
import { detectDelimiter } from "./delimiter.ts";
import type { Delimiter, Escape } from "./dialect.ts";

/**
 * A backslash where quotes cannot be read as RFC 4180 has them, and all rows have the same number of fields once a
 * backslash stands before those within; else a second quote.
 */
export function detectEscape(text: string, isWhole: boolean, delimiter: Delimiter | "auto"): Escape {
  if (!text.includes('\\"')) return '"';
  const delimiterUnder = (escape: Escape) =>
    delimiter === "auto" ? detectDelimiter(text, isWhole, escape) : delimiter;
  const plain = scan(text, isWhole, delimiterUnder('"'), '"');
  if (!plain.hasStrayQuotes) return '"';
  const { hasStrayQuotes, widths } = scan(text, isWhole, delimiterUnder("\\"), "\\");
  return !hasStrayQuotes && widths.size === 1 ? "\\" : '"';
}

function scan(text: string, isWhole: boolean, delimiter: Delimiter, escape: Escape) {
  const widths = new Set<number>();
  let hasStrayQuotes = false;
  const onRecord = (_line: number, numFields: number, problem: string | null) => {
    if (problem !== null) hasStrayQuotes = true;
    else if (numFields > 0) widths.add(numFields);
  };
  const scanner = new CsvScanner(delimiter === "blanks" ? " " : delimiter, onRecord, escape);
  scanner.push(Buffer.from(text));
  if (isWhole) scanner.end();
  return { hasStrayQuotes, widths };
}
