import type { DuckDBConnection } from "@duckdb/node-api";
import { listShapeOf } from "../list-cells.ts";
import type { ColumnInfo } from "../table-source.ts";

/** Lists whose shape is looked at; they may be long. */
const sampled = 200;

/**
 * The columns with what their lists of numbers have in common in the first rows.
 *
 * @param from  FROM clause over the file
 * @param sqlOf SQL expression of a column
 */
export async function withListShapes(
  connection: DuckDBConnection,
  from: string,
  columns: readonly ColumnInfo[],
  sqlOf: (name: string) => string,
): Promise<ColumnInfo[]> {
  const lists = columns.filter(({ type }) => type === "list").map(({ name }) => name);
  if (lists.length === 0) return [...columns];
  const texts = lists.map((name) => `CAST(${sqlOf(name)} AS VARCHAR)`).join(", ");
  const rows = (await connection.runAndReadAll(`SELECT ${texts} FROM ${from} LIMIT ${sampled}`)).getRows();
  return columns.map((column) => {
    const at = lists.indexOf(column.name);
    if (at < 0) return column;
    const list = listShapeOf(rows.flatMap((row) => (row[at] === null ? [] : [String(row[at])])));
    return list ? { ...column, list } : column;
  });
}
