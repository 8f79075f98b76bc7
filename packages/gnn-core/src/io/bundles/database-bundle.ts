import { join } from "node:path";
import type { DatabaseFile, DatabaseRow, DatabaseValue } from "../database/database-file.ts";
import { type PlannedFile, plannedFiles } from "../database/planned-files.ts";
import { fileKindOf } from "../file-kind.ts";
import { checkColumns, checkRows, type ReadingLimits } from "../limits/reading-limits.ts";
import type { UploadedFile } from "../uploaded-files.ts";
import type { Bundle, BundleContext, WrittenBundle } from "./bundle.ts";
import { writeLines } from "./ogb-rows.ts";

const rowsAtOnce = 512;

/** The tables of a file that is a database; null: it is none. */
export async function databaseBundle({ name, path }: UploadedFile): Promise<Bundle | null> {
  if ((await fileKindOf(path)).kind !== "sqlite") return null;
  return {
    anchor: name,
    sources: new Map([["database", name]]),
    write: async (context) => {
      const file = await context.open("database");
      const { openSqlite } = await import("../database/sqlite-database.ts");
      const database = await openSqlite(file!, context.limits);
      try {
        return await writeTables(context, database, name);
      } finally {
        await database.close();
      }
    },
  };
}

async function writeTables(context: BundleContext, database: DatabaseFile, file: string): Promise<WrittenBundle> {
  const { files, notes } = plannedFiles(database.tables);
  const tables: string[] = [];
  const all = [...database.notes, ...notes];
  for (const planned of files) {
    checkColumns(`${file}/${planned.name}`, planned.columns.length, context.limits);
    const counted = { rows: 0 };
    const lines = jsonLines(context, database, planned, file, counted);
    await writeLines(join(context.dir, planned.name), lines);
    if (counted.rows > 0) tables.push(planned.name);
    else all.push(`the table ${database.tables[planned.table]!.name} has no rows for ${planned.name}.`);
  }
  return { tables, notes: all };
}

/** JSON keeps numbers, texts and nothing apart. */
async function* jsonLines(
  { sampleRows, limits, check }: Pick<BundleContext, "sampleRows" | "check"> & { readonly limits: ReadingLimits },
  database: DatabaseFile,
  { name, table, columns, needed }: PlannedFile,
  file: string,
  counted: { rows: number },
): AsyncGenerator<string> {
  const placeOf = (column: string) => database.tables[table]!.columns.findIndex((one) => one.name === column);
  const wanted = columns.map(({ column, alias }) => ({ key: JSON.stringify(alias), place: placeOf(column) }));
  const mustHave = needed.map(placeOf);
  let lines: string[] = [];
  for await (const row of database.rows(table)) {
    if (mustHave.some((place) => (row[place] ?? null) === null)) continue;
    lines.push(`{${wanted.map(({ key, place }) => `${key}:${jsonOf(row, place)}`).join(",")}}\n`);
    counted.rows++;
    if (sampleRows !== null && counted.rows >= sampleRows) break;
    if (lines.length < rowsAtOnce) continue;
    check(file);
    checkRows(`${file}/${name}`, counted.rows, limits);
    yield lines.join("");
    lines = [];
  }
  yield lines.join("");
}

function jsonOf(row: DatabaseRow, place: number): string {
  const value: DatabaseValue = row[place] ?? null;
  if (value === null) return "null";
  if (value.kind === "text") return JSON.stringify(value.text);
  // Readers of JSON keep 53 bits of a whole number, and know no infinity.
  const number = Number(value.text);
  if (!Number.isFinite(number)) return "null";
  return Number.isInteger(number) && !Number.isSafeInteger(number) ? JSON.stringify(value.text) : value.text;
}
