import type { DuckDBConnection } from "@duckdb/node-api";
import { sqlName, sqlText } from "../duckdb/connect.ts";
import { parseCreateTable, same } from "./create-table.ts";
import { unfitType } from "./duckdb-lines.ts";
import type { DuckDbFileTable } from "./duckdb-messages.ts";

const mostTables = 500;
const mostViewsNamed = 20;
const mostSql = 100_000;
/** Types of structures and enumerations are as long as somebody likes. */
const typeLetters = 60;

/**
 * The tables of an attached database, and what of it is not read. Views are queries and are not run, and columns that
 * SQL of the file would compute are not asked for.
 */
export async function tablesOf(
  connection: DuckDBConnection,
  database: string,
): Promise<{ readonly tables: DuckDbFileTable[]; readonly notes: string[] }> {
  const rows = async (sql: string) => (await connection.runAndReadAll(sql)).getRowsJson();
  const notes = viewNotes(
    await rows(`SELECT view_name FROM duckdb_views() WHERE database_name = ${sqlText(database)} AND NOT internal`),
  );
  const stored = await rows(
    `SELECT schema_name, table_name, left(sql, ${mostSql}), length(sql), contains(upper(sql), 'GENERATED') ` +
      `FROM duckdb_tables() WHERE database_name = ${sqlText(database)} AND NOT internal`,
  );
  if (stored.length > mostTables) throw new Error(`More than ${mostTables} tables`);
  const found: DuckDbFileTable[] = [];
  for (const [schema, name, sql, length, isGenerated] of stored as [string, string, string, string, boolean][]) {
    const declared = isGenerated ? (Number(length) > mostSql ? null : parseCreateTable(sql)) : { columns: [] };
    if (declared === null) {
      notes.push(`the table ${name} is left out: how it was made is not understood.`);
      continue;
    }
    const computed = declared.columns.flatMap((column) => (column.isVirtual ? [column.name] : []));
    for (const column of computed) notes.push(`the column ${column} of ${name} is left out: SQL computes it.`);
    found.push(await columnsOf(rows, database, schema, name, computed));
  }
  return { tables: await withKeys(rows, database, found), notes };
}

type Ask = (sql: string) => Promise<unknown[][]>;

async function columnsOf(rows: Ask, database: string, schema: string, name: string, computed: readonly string[]) {
  const from = [database, schema, name].map(sqlName).join(".");
  const letters = `CASE WHEN length(column_type) <= ${typeLetters} THEN column_type ELSE left(column_type, ${typeLetters}) || right(column_type, 8) END`;
  const described = (await rows(`SELECT column_name, ${letters} FROM (DESCRIBE ${from})`)) as [string, string][];
  const kept = described.filter(([column]) => !computed.some((one) => same(one, column)));
  return {
    schema: schema === "main" ? "" : schema,
    stored: schema,
    name,
    columns: kept.map(([column, type]) => ({ name: column, unfit: unfitType(type) })),
    types: kept.map(([, type]) => type),
    primaryKey: [] as string[],
    foreignKeys: [] as DuckDbFileTable["foreignKeys"][number][],
  };
}

async function withKeys(rows: Ask, database: string, tables: readonly DuckDbFileTable[]): Promise<DuckDbFileTable[]> {
  const keys = (await rows(
    "SELECT schema_name, table_name, constraint_type, to_json(constraint_column_names)::VARCHAR, referenced_table, " +
      `to_json(referenced_column_names)::VARCHAR FROM duckdb_constraints() WHERE database_name = ${sqlText(database)} ` +
      "AND constraint_type IN ('PRIMARY KEY', 'FOREIGN KEY')",
  )) as [string, string, string, string, string | null, string][];
  return tables.map((table) => {
    const own = keys.filter(([schema, name]) => schema === table.stored && name === table.name);
    const primary = own.find(([, , type]) => type === "PRIMARY KEY");
    return {
      ...table,
      primaryKey: primary ? calledAsIn(table, namesOf(primary[3])) : [],
      foreignKeys: own
        .filter(([, , type]) => type === "FOREIGN KEY")
        .map(([, , , columns, target, targetColumns]) => {
          // A foreign key leads to a table of its own schema.
          const place = tables.findIndex((one) => one.stored === table.stored && same(one.name, target ?? ""));
          return {
            columns: calledAsIn(table, namesOf(columns)),
            target: place < 0 ? null : place,
            targetColumns: place < 0 ? [] : calledAsIn(tables[place]!, namesOf(targetColumns)),
          };
        }),
    };
  });
}

function namesOf(json: string): string[] {
  return JSON.parse(json) as string[];
}

/** A key may name a column in other letters than the table. */
function calledAsIn({ columns }: DuckDbFileTable, names: readonly string[]): string[] {
  return names.map((name) => columns.find((column) => same(column.name, name))?.name ?? name);
}

function viewNotes(views: readonly unknown[][]): string[] {
  const named = views
    .slice(0, mostViewsNamed)
    .map(([name]) => `the view ${String(name)} is left out: it is a query. Make a table of it.`);
  const more = views.length - named.length;
  return more > 0 ? [...named, `${more} more views are left out.`] : named;
}
