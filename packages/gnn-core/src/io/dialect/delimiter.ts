import { parseRecords } from "../csv/csv-head.ts";
import type { Delimiter, Escape } from "./dialect.ts";

const sampled = 200;
const characters = [",", "\t", ";", "|"] as const;
/** `1,5` between two semicolons: commas inside numbers, not between fields. */
const decimalComma = /^\s*[+-]?\d*,\d+\s*$/;

/** The records of the text under a delimiter; fields between blanks know no quotes. */
export function recordsOf(
  text: string,
  delimiter: Delimiter,
  isWhole: boolean,
  limit = sampled,
  escape: Escape = '"',
): string[][] {
  if (delimiter !== "blanks") return parseRecords(text, delimiter, limit, isWhole, escape);
  const lines = text.split(/\r\n|\n|\r/);
  if (!isWhole) lines.pop();
  const filled = lines.map((line) => line.trim()).filter((line) => line !== "");
  return filled.slice(0, limit).map((line) => line.split(/[ \t]+/));
}

/**
 * The delimiter under which most lines have the same number of fields, at least two; a comma when none fits. A tie
 * goes to the larger number of fields, but not to commas that stand inside numbers.
 */
export function detectDelimiter(text: string, isWhole: boolean, escape: Escape = '"'): Delimiter {
  const fits = ([...characters, "blanks"] as const).map((delimiter) => fitOf(text, delimiter, isWhole, escape));
  const [best] = fits
    .filter(({ share, numFields }) => numFields > 1 && share >= 0.5)
    .toSorted(
      (a, b) => Number(b.isCharacter) - Number(a.isCharacter) || b.share - a.share || b.numFields - a.numFields,
    );
  if (!best) return ",";
  if (best.delimiter !== ",") return best.delimiter;
  const inNumbers = fits.find(({ delimiter, hasDecimalCommas }) => hasDecimalCommas && delimiter !== ",");
  return inNumbers?.delimiter ?? ",";
}

interface Fit {
  readonly delimiter: Delimiter;
  readonly isCharacter: boolean;
  /** Share of the records that have the most frequent number of fields */
  readonly share: number;
  readonly numFields: number;
  /**
   * All records are alike under it, and some field holds a number with a decimal comma; between blanks none of the
   * first two, which are the ends of an edge.
   */
  readonly hasDecimalCommas: boolean;
}

function fitOf(text: string, delimiter: Delimiter, isWhole: boolean, escape: Escape): Fit {
  const records = recordsOf(text, delimiter, isWhole, sampled, escape);
  const counts = new Map<number, number>();
  for (const { length } of records) counts.set(length, (counts.get(length) ?? 0) + 1);
  const [numFields, most] = [...counts].toSorted((a, b) => b[1] - a[1] || b[0] - a[0])[0] ?? [0, 0];
  const hasDecimalCommas =
    numFields > 1 &&
    most === records.length &&
    records.some((record) => record.some((field) => decimalComma.test(field))) &&
    (delimiter !== "blanks" || records.every(([src = ",", dst = ","]) => !src.includes(",") && !dst.includes(",")));
  return {
    delimiter,
    isCharacter: delimiter !== "blanks",
    share: records.length === 0 ? 0 : most / records.length,
    numFields,
    hasDecimalCommas,
  };
}
