import { type DecimalSign, withDecimalPoint } from "./dialect/decimal-sign.ts";
import type { ColumnInfo } from "./table-source.ts";

const integer = /^[+-]?\d+$/;
const decimal = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;

/** What the values of a text column look like; empty ones, and blanks around the others, say nothing. */
export function columnTypeOf(values: Iterable<string | null>, decimalSign: DecimalSign = "."): ColumnInfo["type"] {
  const seen = [...values].map((value) => (value ?? "").trim()).filter((value) => value !== "");
  if (seen.length === 0) return "text";
  if (seen.every((value) => integer.test(value))) return "int64";
  if (seen.every((value) => decimal.test(withDecimalPoint(value, decimalSign)))) return "double";
  return seen.every((value) => /^(true|false)$/i.test(value)) ? "boolean" : "text";
}
