import { join } from "node:path";
import { GnnError } from "../../errors/gnn-error.ts";
import type { DatabaseFile } from "../database/database-file.ts";
import { type PlannedFile, plannedFiles } from "../database/planned-files.ts";
import { fileKindOf } from "../file-kind.ts";
import { checkColumns, checkRows, type ReadingLimits } from "../limits/reading-limits.ts";
import type { UploadedFile } from "../uploaded-files.ts";
import type { Bundle, BundleContext, WrittenBundle } from "./bundle.ts";
import { writeLines } from "./ogb-rows.ts";

/** The tables of a file that is a database; null: it is none. */
export async function databaseBundle({ name, path }: UploadedFile): Promise<Bundle | null> {
  const { kind } = await fileKindOf(path);
  if (kind !== "sqlite" && kind !== "duckdb") return null;
  return {
    anchor: name,
    sources: new Map([["database", name]]),
    write: async (context) => {
      const database = await openDatabase(kind, (await context.open("database"))!, context.limits);
      try {
        return await writeTables(context, database, name);
      } finally {
        await database.close();
      }
    },
  };
}

async function openDatabase(kind: "sqlite" | "duckdb", file: UploadedFile, limits: ReadingLimits) {
  if (kind === "sqlite") return (await import("../database/sqlite-database.ts")).openSqlite(file, limits);
  return (await import("../database/duckdb-database.ts")).openDuckDbFile(file, limits);
}

async function writeTables(context: BundleContext, database: DatabaseFile, file: string): Promise<WrittenBundle> {
  const { files, notes } = plannedFiles(database.tables);
  const tables: string[] = [];
  const all = [...database.notes, ...notes];
  for (const planned of files) {
    checkColumns(`${file}/${planned.name}`, planned.columns.length, context.limits);
    const counted = { rows: 0 };
    await writeLines(join(context.dir, planned.name), countedLines(context, database, planned, file, counted));
    if (counted.rows > 0) tables.push(planned.name);
    else all.push(`the table ${database.tables[planned.table]!.name} has no rows for ${planned.name}.`);
  }
  if (tables.length === 0) throw nothingToRead(file, all);
  return { tables, notes: all };
}

function nothingToRead(file: string, notes: readonly string[]): GnnError {
  const message = `${file} is a database without rows that are read. ${notes.slice(0, 5).map(asSentence).join(" ")}`;
  return new GnnError("DATASET_FILE_EMPTY", message.trim(), { place: { file } });
}

function asSentence(note: string): string {
  return note.charAt(0).toUpperCase() + note.slice(1);
}

async function* countedLines(
  { sampleRows, limits, check }: BundleContext,
  database: DatabaseFile,
  planned: PlannedFile,
  file: string,
  counted: { rows: number },
): AsyncGenerator<string> {
  for await (const { lines, rows } of database.lines(planned, sampleRows)) {
    counted.rows += rows;
    check(file);
    checkRows(`${file}/${planned.name}`, counted.rows, limits);
    yield lines;
  }
}
