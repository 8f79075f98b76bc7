import { type DecimalSign, withDecimalPoint } from "./dialect/decimal-sign.ts";
import { listShapeOf } from "./list-cells.ts";
import { areTruths } from "./missing-words.ts";
import type { ColumnInfo } from "./table-source.ts";

const integer = /^[+-]?\d+$/;
const decimal = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;

/** What the values of a text column look like; empty ones, and blanks around the others, say nothing. */
export function columnTypeOf(values: Iterable<string | null>, decimalSign: DecimalSign = "."): ColumnInfo["type"] {
  return lookOf(values, decimalSign).type;
}

/** `columnTypeOf` and, of lists of numbers, their shape */
export function lookOf(
  values: Iterable<string | null>,
  decimalSign: DecimalSign = ".",
): Pick<ColumnInfo, "type" | "list"> {
  const seen = [...values].map((value) => (value ?? "").trim()).filter((value) => value !== "");
  if (seen.length === 0) return { type: "text" };
  if (seen.every((value) => integer.test(value))) return { type: "int64" };
  if (seen.every((value) => decimal.test(withDecimalPoint(value, decimalSign)))) return { type: "double" };
  if (areTruths(seen)) return { type: "boolean" };
  const list = listShapeOf(seen);
  return list ? { type: "list", list } : { type: "text" };
}
