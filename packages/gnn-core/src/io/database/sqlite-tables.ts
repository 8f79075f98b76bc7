import { open } from "node:fs/promises";
import { checkUnpacked, type ReadingLimits } from "../limits/reading-limits.ts";
import { type DeclaredTable, parseCreateTable, same } from "./create-table.ts";
import type { DatabaseTable } from "./database-tables.ts";
import type { RowValue } from "./sqlite-lines.ts";
import { SqlitePages } from "./sqlite-pages.ts";
import { recordOf, type SqliteValue } from "./sqlite-record.ts";

const mostTables = 500;
const mostSql = 100_000;

/** The tables of an SQLite file, and their rows as they are stored. */
export interface SqliteTables {
  readonly tables: readonly DatabaseTable[];
  /** What of it is not read, in sentences */
  readonly notes: readonly string[];
  /** The values of each row, in the order of the table's columns */
  readonly rows: (index: number) => AsyncGenerator<readonly RowValue[], void, undefined>;
  readonly close: () => Promise<void>;
}

interface StoredTable {
  readonly name: string;
  readonly root: number;
  readonly declared: DeclaredTable;
}

/**
 * Opens the tables of an SQLite database. Views are queries and are not run; what else has no rows of its own is named
 * in `notes`.
 *
 * @throws GnnError DATASET_FILE_MISSING, DATASET_FORMAT_INVALID
 */
export async function openSqliteTables(
  { path, name }: { readonly path: string; readonly name: string },
  limits: ReadingLimits,
): Promise<SqliteTables> {
  const file = await open(path, "r");
  try {
    const pages = await SqlitePages.open(file, name);
    const { size } = await file.stat();
    const { tables, notes } = await storedTables(pages);
    let unpacked = 0;
    async function* rows(index: number): AsyncGenerator<readonly RowValue[], void, undefined> {
      const { root, declared } = tables[index]!;
      for await (const { rowid, payload } of pages.rows(root)) {
        unpacked += payload.length;
        checkUnpacked(name, size, unpacked, limits);
        yield rowOf(recordOf(payload, pages), declared, rowid);
      }
    }
    return { tables: asTables(tables), notes, rows, close: () => file.close() };
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function storedTables(pages: SqlitePages): Promise<{ tables: StoredTable[]; notes: string[] }> {
  const tables: StoredTable[] = [];
  const notes: string[] = [];
  if (pages.hasWal)
    notes.push(
      "it was written with a WAL: what the file -wal beside it may hold is not read. Close the program that writes it before you copy it.",
    );
  for await (const { payload } of pages.rows(1)) {
    const [type, name, , root, sql] = recordOf(payload, pages).map(({ text }) => text);
    if (type === undefined || name === undefined || root === undefined || sql === undefined)
      throw pages.damaged("its list of tables is cut off");
    if (type === "view") notes.push(`the view ${name} is left out: it is a query. Make a table of it.`);
    if (type !== "table" || name.startsWith("sqlite_")) continue;
    if (tables.length === mostTables) throw pages.damaged(`it has more than ${mostTables} tables`);
    const declared = sql.length > mostSql ? null : parseCreateTable(sql);
    const objection = objectionTo(Number(root), declared);
    if (objection === null) tables.push({ name, root: Number(root), declared: declared! });
    else notes.push(`the table ${name} is left out: ${objection}.`);
  }
  return { tables, notes };
}

function objectionTo(root: number, declared: DeclaredTable | null): string | null {
  if (root === 0) return "a module of SQLite makes its rows. Copy them with CREATE TABLE";
  if (declared === null) return "how it was made is not understood";
  return declared.hasRowid ? null : "it was made WITHOUT ROWID. Copy it with CREATE TABLE";
}

function asTables(stored: readonly StoredTable[]): DatabaseTable[] {
  return stored.map(({ name, declared }) => ({
    schema: "",
    name,
    columns: columnsOf(declared).map((column) => ({
      name: column.name,
      unfit: /BLOB/i.test(column.type) ? "holds bytes" : null,
    })),
    primaryKey: declared.primaryKey,
    foreignKeys: declared.foreignKeys.map(({ columns, table, targetColumns }) => {
      const target = stored.findIndex((other) => same(other.name, table));
      const key = target < 0 ? [] : stored[target]!.declared.primaryKey;
      return {
        columns: columns.map((column) => calledAsIn(declared, column)),
        target: target < 0 ? null : target,
        targetColumns:
          targetColumns.length === 0 ? key : targetColumns.map((one) => key.find((own) => same(own, one)) ?? one),
      };
    }),
  }));
}

/** A key may name a column in other letters than the table. */
function calledAsIn({ columns }: DeclaredTable, name: string): string {
  return columns.find((column) => same(column.name, name))?.name ?? name;
}

function columnsOf({ columns }: DeclaredTable) {
  return columns.filter(({ isVirtual }) => !isVirtual);
}

function rowOf(stored: readonly SqliteValue[], declared: DeclaredTable, rowid: bigint): readonly RowValue[] {
  return columnsOf(declared).map(({ name, initially }, i) => {
    if (declared.rowidColumn === name) return { kind: "number", text: String(rowid) };
    const value = stored[i];
    if (value === undefined) return initially === null ? null : { kind: "text", text: initially };
    if (value.kind === "null" || value.kind === "bytes") return null;
    return { kind: value.kind === "text" ? "text" : "number", text: value.text };
  });
}
