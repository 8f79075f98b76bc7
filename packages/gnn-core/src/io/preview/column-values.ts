import { saysMissing } from "../missing-words.ts";
import type { ColumnInfo } from "../table-source.ts";

/** The sampled values of one column, those apart that say nothing. */
export function valuesOf(rows: readonly (readonly string[])[], column: number): string[] {
  return rows.map((row) => (row[column] ?? "").trim()).filter((value) => !saysMissing(value));
}

export function isNumeric({ type }: ColumnInfo): boolean {
  return type === "int64" || type === "double";
}

export function areDistinct(values: readonly string[]): boolean {
  return values.length > 0 && new Set(values).size === values.length;
}

/**
 * Whether nine rows of ten hold another value, as names and ids do; a handful of rows does not tell, nor do many
 * classes.
 */
export function areNearlyDistinct(values: readonly string[]): boolean {
  return values.length >= 10 && new Set(values).size > values.length * 0.9;
}

/** 0, 1, 2 … or 1, 2, 3 …: the number of the row, as pandas' index. */
export function countsRows(values: readonly string[]): boolean {
  const first = Number(values[0]);
  return values.length > 2 && (first === 0 || first === 1) && values.every((value, i) => value === String(first + i));
}

/** Share of the values that are among the others. */
export function overlap(values: readonly string[], others: ReadonlySet<string>): number {
  return values.length === 0 ? 0 : values.filter((value) => others.has(value)).length / values.length;
}

const decorated: readonly (readonly [pattern: RegExp, what: string])[] = [
  [/^[+-]?\d*,\d+$/, "numbers with a decimal comma; choose it, or write them with a point"],
  [/^[+-]?\d{1,3}([,' ]\d{3})+(\.\d+)?$/, "numbers with separators between the thousands; write them without"],
  [/^[+-]?\d+([.,]\d+)? ?%$/, "percentages; write them as plain numbers"],
  [/^[$€£¥] ?[\d.,]+$|^[\d.,]+ ?[$€£¥]$/, "amounts of money; write them as plain numbers"],
  [/^\d{4}-\d\d-\d\d([T ].*)?$/, "dates; write them as numbers, such as days since the first"],
];

/** What texts are that a reader would take for numbers, and what to do; null for other texts. */
export function decoratedNumbers(values: readonly string[]): string | null {
  if (values.length === 0) return null;
  return (
    decorated.find(
      ([pattern]) =>
        values.some((value) => pattern.test(value)) &&
        values.every((value) => pattern.test(value) || /^[+-]?\d+$/.test(value)),
    )?.[1] ?? null
  );
}
