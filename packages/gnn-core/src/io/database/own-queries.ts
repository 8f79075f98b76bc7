import type { DuckDBConnection } from "@duckdb/node-api";
import { type DuckDb, sqlName, sqlText } from "../duckdb/connect.ts";
import { confinedDuckDb } from "./confined-duckdb.ts";
import { linesOfQuery, unfitType } from "./duckdb-lines.ts";
import { attachedAs, type OwnQuery, type ToDuckDbReader } from "./duckdb-messages.ts";
import { tablesOf } from "./duckdb-tables.ts";
import { queryFailure } from "./query-failure.ts";
import { clockObjection, type NamedTable, QueryObjection, queryNames, type SerializedSql } from "./query-tree.ts";
import { copySqliteTable } from "./sqlite-copy.ts";
import { openSqliteTables } from "./sqlite-tables.ts";

type Asked = Extract<ToDuckDbReader, { ask: "queries" }>;

/** A table under the name by which queries ask for it */
interface AskedTable extends NamedTable {
  readonly stored: string;
  readonly columns: readonly string[];
}

/**
 * Opens a file that is a database for somebody's own queries. All of them are looked through before one runs. They see
 * the tables that they name by views in memory: with the file itself as the place of names, a macro of the file could
 * stand for a function of DuckDB.
 *
 * @throws GnnError DATASET_FORMAT_INVALID with the file and line of the query
 */
export async function openForQueries(asked: Asked): Promise<{ duckDb: DuckDb; notes: readonly string[] }> {
  return asked.kind === "duckdb" ? openDuckDb(asked) : openSqliteCopy(asked);
}

async function openDuckDb({ path, limits, queries }: Asked) {
  const duckDb = await confinedDuckDb([path], limits.memoryBytes.most);
  const { connection } = duckDb;
  await connection.run(`ATTACH ${sqlText(path)} AS ${attachedAs} (TYPE duckdb, READ_ONLY)`);
  const { tables } = await tablesOf(connection, attachedAs);
  const known = tables.map((table) => ({ ...table, columns: table.columns.map(({ name }) => name) }));
  for (const place of await tablesAsked(connection, queries, known)) await showTable(connection, known[place]!);
  return { duckDb, notes: [] };
}

/** Tables of SQLite that are asked for are copied to where DuckDB reads them: to a file, not to memory. */
async function openSqliteCopy({ path, name, limits, copyPath, queries }: Asked) {
  const file = await openSqliteTables({ path, name }, limits);
  try {
    const duckDb = await confinedDuckDb([copyPath], limits.memoryBytes.most);
    const { connection } = duckDb;
    const known = file.tables.map((table) => ({
      ...table,
      stored: "main",
      columns: table.columns.flatMap((column) => (column.unfit === null ? [column.name] : [])),
    }));
    await connection.run(`ATTACH ${sqlText(copyPath)} AS ${attachedAs} (TYPE duckdb)`);
    const asked = await tablesAsked(connection, queries, known);
    for (const place of asked) await copySqliteTable(connection, attachedAs, file, place);
    await connection.run(`DETACH ${attachedAs}`);
    await connection.run(`ATTACH ${sqlText(copyPath)} AS ${attachedAs} (TYPE duckdb, READ_ONLY)`);
    for (const place of asked) await showTable(connection, known[place]!);
    return { duckDb, notes: file.notes.filter((note) => note.includes("WAL")) };
  } finally {
    await file.close();
  }
}

async function tablesAsked(
  connection: DuckDBConnection,
  queries: readonly OwnQuery[],
  tables: readonly NamedTable[],
): Promise<readonly number[]> {
  const asked = new Set<number>();
  for (const { file, text } of queries) {
    try {
      for (const place of await namesIn(connection, text, tables)) asked.add(place);
    } catch (error) {
      throw queryFailure(file, error, text);
    }
  }
  return [...asked];
}

async function namesIn(connection: DuckDBConnection, text: string, known: readonly NamedTable[]) {
  const [[json]] = (await rowsOf(connection, `SELECT json_serialize_sql(${sqlText(text)})::VARCHAR`)) as [[string]];
  const { tables, functions } = queryNames(JSON.parse(json) as SerializedSql, known);
  if (functions.length === 0) return tables;
  const [changing] = await rowsOf(connection, changingAmong(functions));
  if (changing) throw clockObjection(`${String(changing[0])}()`);
  return tables;
}

/** Functions whose value does not follow from their arguments, by what DuckDB says of them; macros may hide others. */
function changingAmong(functions: readonly string[]): string {
  const names = functions.map(sqlText).join(", ");
  const settings = "function_name IN ('current_setting', 'getvariable')";
  const macros = "regexp_matches(coalesce(macro_definition, ''), 'current_|duckdb_|pragma_')";
  return `SELECT function_name FROM duckdb_functions() WHERE function_name IN (${names}) AND (coalesce(stability, 'CONSISTENT') <> 'CONSISTENT' OR ${settings} OR ${macros}) ORDER BY ALL LIMIT 1`;
}

async function showTable(connection: DuckDBConnection, { schema, stored, name, columns }: AskedTable): Promise<void> {
  const shownIn = schema === "" ? "main" : schema;
  if (schema !== "") await connection.run(`CREATE SCHEMA IF NOT EXISTS memory.${sqlName(schema)}`);
  const as = ["memory", shownIn, name].map(sqlName).join(".");
  const from = [attachedAs, stored, name].map(sqlName).join(".");
  await connection.run(`CREATE VIEW ${as} AS SELECT ${columns.map(sqlName).join(", ") || "1 AS nothing"} FROM ${from}`);
}

/**
 * One of somebody's own queries as a query of lines, what of its columns is not read, and how many are.
 *
 * @throws GnnError DATASET_FORMAT_INVALID with the file and line of the query
 */
export async function linesOfOwn(
  connection: DuckDBConnection,
  { file, text }: OwnQuery,
  most: number | null,
): Promise<{ readonly sql: string; readonly numColumns: number; readonly notes: readonly string[] }> {
  const query = text.replace(/[\s;]+$/, "");
  try {
    const described = await rowsOf(connection, `DESCRIBE SELECT * FROM (${query}\n)`);
    const columns = described.map(([name, type]) => ({
      column: String(name),
      alias: String(name),
      type: String(type),
    }));
    const kept = columns.filter(({ type }) => unfitType(type) === null);
    if (kept.length === 0) throw new QueryObjection("none of its columns holds numbers, texts or lists of numbers");
    const notes = columns.flatMap(({ column, type }) => {
      const unfit = unfitType(type);
      return unfit === null ? [] : [`the column ${column} of ${file} is left out: it ${unfit}.`];
    });
    return { sql: linesOfQuery(query, kept, most), numColumns: kept.length, notes };
  } catch (error) {
    throw queryFailure(file, error, text);
  }
}

async function rowsOf(connection: DuckDBConnection, sql: string): Promise<unknown[][]> {
  return (await connection.runAndReadAll(sql)).getRowsJson();
}
