import { parseRecords } from "../csv/csv-head.ts";
import { type Delimiter, delimiters, type Escape } from "./dialect.ts";

const sampled = 200;
const characters = [",", "\t", ";", "|"] as const;
/** Text has such signs without meaning a table by them. */
const rare = ["\u0001", "::", "^", "~", "!"] as const;
/** Nine records of ten have the same number of fields. */
const enough = 0.9;
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
 * goes to the larger number of fields, but not to commas that stand inside numbers. Delimiters of several signs are
 * those whose signs stand nowhere else, and rare ones count where no other fits.
 */
export function detectDelimiter(text: string, isWhole: boolean, escape: Escape = '"'): Delimiter {
  const long = delimiters.find((one) => isLongDelimiter(text, one, isWhole, escape));
  if (long) return long;
  const common = commonDelimiter(text, isWhole, escape);
  const other = rareDelimiter(text, isWhole, escape);
  const isPlain = !common?.isFirm || (common.delimiter === "blanks" && cutsFields(text, other, isWhole));
  if (other && (isPlain || isSure(text, other, isWhole))) return other;
  if (common?.delimiter === "blanks" && isColumnOfWords(text, isWhole)) return ",";
  return common?.delimiter ?? ",";
}

/** One column, such as of names of people: a word that comes nowhere else, above rows of words between blanks. */
function isColumnOfWords(text: string, isWhole: boolean): boolean {
  const [header, ...rows] = recordsOf(text, "blanks", isWhole);
  const [name = ""] = header ?? [];
  if (header?.length !== 1 || !/^[\p{L}_]+$/u.test(name)) return false;
  return rows.every(
    (fields) => fields.length > 1 && !fields.includes(name) && fields.some((field) => /\p{L}/u.test(field)),
  );
}

/** `||`, whose bars stand nowhere alone: as single ones they would make an empty column behind each other. */
function isLongDelimiter(text: string, delimiter: Delimiter, isWhole: boolean, escape: Escape): boolean {
  const sign = characters.find((one) => delimiter.length > 1 && delimiter.includes(one));
  if (sign === undefined || !text.includes(delimiter)) return false;
  const inEach = delimiter.split(sign).length - 1;
  const isAlone = text.split(sign).length - 1 === inEach * (text.split(delimiter).length - 1);
  const { share, numFields } = fitOf(text, delimiter, isWhole, escape);
  return isAlone && share === 1 && numFields > 1;
}

function rareDelimiter(text: string, isWhole: boolean, escape: Escape): Delimiter | null {
  const fits = rare
    .filter((one) => text.includes(one))
    .map((one) => fitOf(text, one, isWhole, escape))
    .filter(({ share, numFields }) => numFields > 1 && share >= enough);
  return fits.toSorted((a, b) => b.share - a.share || b.numFields - a.numFields)[0]?.delimiter ?? null;
}

/**
 * Whether what stands between blanks holds the delimiter here once and there several times, as `n0~two` and `words~5~x`
 * do. Names such as `std::a` hold it alike.
 */
function cutsFields(text: string, delimiter: Delimiter | null, isWhole: boolean): boolean {
  if (delimiter === null) return false;
  const records = recordsOf(text, "blanks", isWhole).map((fields) =>
    fields.map((field) => field.split(delimiter).length - 1),
  );
  return records.every((counts) => Math.min(...counts) > 0 && new Set(counts).size > 1);
}

/** Nobody types control characters; between double colons, numbers come first, and three fields or more. */
function isSure(text: string, delimiter: Delimiter, isWhole: boolean): boolean {
  if (delimiter === "\u0001") return true;
  if (delimiter !== "::") return false;
  const records = recordsOf(text, delimiter, isWhole);
  const rows = records.length > 1 ? records.slice(1) : records;
  const numbered = rows.filter((row) => row.length > 2 && /^\s*\d+\s*$/.test(row[0]!));
  return rows.length > 0 && numbered.length >= enough * rows.length;
}

/** Blanks between words that are now more and now fewer are no firm finding. */
function commonDelimiter(
  text: string,
  isWhole: boolean,
  escape: Escape,
): { readonly delimiter: Delimiter; readonly isFirm: boolean } | null {
  const fits = ([...characters, "blanks"] as const).map((delimiter) => fitOf(text, delimiter, isWhole, escape));
  const [best] = fits
    .filter(({ share, numFields }) => numFields > 1 && share >= 0.5)
    .toSorted(
      (a, b) => Number(b.isCharacter) - Number(a.isCharacter) || b.share - a.share || b.numFields - a.numFields,
    );
  if (!best) return null;
  const isFirm = best.isCharacter || best.share >= enough;
  if (best.delimiter !== ",") return { delimiter: best.delimiter, isFirm };
  const inNumbers = fits.find(({ delimiter, hasDecimalCommas }) => hasDecimalCommas && delimiter !== ",");
  return { delimiter: inNumbers?.delimiter ?? ",", isFirm };
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
