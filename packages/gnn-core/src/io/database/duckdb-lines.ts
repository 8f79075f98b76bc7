import { sqlName, sqlText } from "../duckdb/connect.ts";
import type { DuckDbFileTable } from "./duckdb-messages.ts";
import type { PlannedFile } from "./planned-files.ts";

/** Readers of JSON keep 53 bits of a whole number. */
const mostWhole = Number.MAX_SAFE_INTEGER;
const nested = /^(STRUCT|MAP|UNION|VARIANT|"?VARIANT"?)\b/;
const list = /\[\d*\]$/;

/** Why a column of this type is no use to a graph; null: it may be of use. */
export function unfitType(type: string): string | null {
  if (/^(BLOB|BIT|GEOMETRY)\b/.test(type)) return "holds bytes";
  return nested.test(type) || /\[\d*\]\[\d*\]$/.test(type) ? "holds values in one another" : null;
}

/**
 * The query whose rows are those of the planned file, each a line of JSON; behind them a row without a line. DuckDB
 * ends a stream that fails half-way as if it had come to its end: without that row it did.
 *
 * @param database what the file is attached as
 */
export function linesQuery(
  database: string,
  table: DuckDbFileTable,
  planned: PlannedFile,
  most: number | null,
): string {
  const typeOf = (column: string) => table.types[table.columns.findIndex(({ name }) => name === column)]!;
  const fields = planned.columns.map(({ column, alias }, i) => {
    const key = sqlText(`${i === 0 ? "{" : ","}${JSON.stringify(alias)}:`);
    return `${key} || coalesce(${jsonOf(sqlName(column), typeOf(column))}, 'null')`;
  });
  const line = [...fields, `'}' || chr(10)`].join(" || ");
  const needed = planned.needed.map((column) => `${sqlName(column)} IS NOT NULL`).join(" AND ") || "true";
  const from = [database, table.stored, table.name].map(sqlName).join(".");
  const limit = most === null ? "" : ` LIMIT ${most}`;
  return `SELECT line FROM (SELECT ${line} AS line FROM ${from} WHERE ${needed}${limit}) UNION ALL SELECT NULL`;
}

/** A value as JSON. What has too many digits for readers of JSON is a text, and what is no number has no value. */
function jsonOf(column: string, type: string): string {
  const text = `CAST(${column} AS VARCHAR)`;
  if (list.test(type)) {
    const json = `CAST(to_json(${column}) AS VARCHAR)`;
    // NaN and Infinity are no JSON; the reader of lists names the row that has them.
    return /^(FLOAT|DOUBLE)/.test(type)
      ? `CASE WHEN regexp_matches(${json}, '[NI]') THEN ${quoted(text)} ELSE ${json} END`
      : json;
  }
  if (type === "BOOLEAN") return text;
  if (/^U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?$/.test(type) || /^DECIMAL\(\d+,0\)$/.test(type))
    return `CASE WHEN abs(CAST(${column} AS DOUBLE)) <= ${mostWhole} THEN ${text} ELSE ${quoted(text)} END`;
  if (/^(FLOAT|DOUBLE)$/.test(type)) return numberOrNothing(column, text);
  const double = `CAST(${column} AS DOUBLE)`;
  if (type.startsWith("DECIMAL(")) return numberOrNothing(double, `CAST(${double} AS VARCHAR)`);
  return quoted(text);
}

function numberOrNothing(number: string, text: string): string {
  const isLarge = `abs(${number}) > ${mostWhole}`;
  return `CASE WHEN NOT isfinite(${number}) THEN NULL WHEN ${isLarge} THEN ${quoted(text)} ELSE ${text} END`;
}

function quoted(text: string): string {
  return `CAST(to_json(${text}) AS VARCHAR)`;
}
