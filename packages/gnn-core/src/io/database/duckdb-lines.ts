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
  const line = lineOf(planned.columns.map(({ column, alias }) => ({ column, alias, type: typeOf(column) })));
  const needed = planned.needed.map((column) => `${sqlName(column)} IS NOT NULL`).join(" AND ") || "true";
  const from = [database, table.stored, table.name].map(sqlName).join(".");
  const limit = most === null ? "" : ` LIMIT ${most}`;
  return `SELECT line FROM (SELECT ${line} AS line FROM ${from} WHERE ${needed}${limit}) UNION ALL SELECT NULL`;
}

/** The rows of somebody's query in the same way. @param query one statement, without a semicolon behind it */
export function linesOfQuery(query: string, columns: readonly LineColumn[], most: number | null): string {
  const limit = most === null ? "" : ` LIMIT ${most}`;
  // Lines are counted as the query's own: nothing but the last of them ends behind it.
  return `SELECT line FROM (SELECT ${lineOf(columns)} AS line FROM (${query}\n)${limit}) UNION ALL SELECT NULL`;
}

/** A column of a query, under the name that its values have in the lines. */
export interface LineColumn {
  readonly column: string;
  readonly alias: string;
  /** As DuckDB writes it */
  readonly type: string;
}

function lineOf(columns: readonly LineColumn[]): string {
  const fields = columns.map(({ column, alias, type }, i) => {
    const key = sqlText(`${i === 0 ? "{" : ","}${JSON.stringify(alias)}:`);
    return `${key} || coalesce(${jsonOf(sqlName(column), type)}, 'null')`;
  });
  return [...fields, `'}' || chr(10)`].join(" || ");
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
