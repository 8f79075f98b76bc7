import { stat } from "node:fs/promises";
import { join } from "node:path";
import { GnnError } from "../../errors/gnn-error.ts";
import type { DatabaseFile } from "../database/database-file.ts";
import type { OwnQuery } from "../database/duckdb-messages.ts";
import { type PlannedFile, plannedFiles } from "../database/planned-files.ts";
import { type QueryFile, queriesOn } from "../database/query-files.ts";
import { fileKindOf } from "../file-kind.ts";
import { checkColumns, checkRows, type ReadingLimits } from "../limits/reading-limits.ts";
import type { UploadedFile } from "../uploaded-files.ts";
import type { Bundle, BundleContext, WrittenBundle } from "./bundle.ts";
import { writeLines } from "./ogb-rows.ts";

/** The files that are databases, each with the queries that were uploaded beside it. */
export async function databaseBundles(files: readonly UploadedFile[]): Promise<Bundle[]> {
  const kinds = new Map<string, DatabaseKind>();
  for (const { name, path } of files) {
    const { kind } = await fileKindOf(path).catch(() => ({ kind: null }));
    if (kind === "sqlite" || kind === "duckdb") kinds.set(name, kind);
  }
  const queries = queriesOn(
    [...kinds.keys()],
    files.map(({ name }) => name),
  );
  return [...kinds].map(([name, kind]) => databaseBundle(name, kind, queries.get(name) ?? []));
}

type DatabaseKind = "sqlite" | "duckdb";

/** The tables of a database; where there are queries, what these give in their place. */
function databaseBundle(name: string, kind: DatabaseKind, queries: readonly QueryFile[]): Bundle {
  return {
    anchor: name,
    sources: new Map([["database", name], ...queries.map((query): [string, string] => [query.name, query.name])]),
    write: async (context) => {
      if (queries.length > 0) return writeAnswers(context, kind, queries);
      const database = await openDatabase(kind, (await context.open("database"))!, context.limits);
      try {
        return await writeTables(context, database, name);
      } finally {
        await database.close();
      }
    },
  };
}

async function openDatabase(kind: DatabaseKind, file: UploadedFile, limits: ReadingLimits) {
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

/** A file of lines for each query. */
async function writeAnswers(
  context: BundleContext,
  kind: DatabaseKind,
  files: readonly QueryFile[],
): Promise<WrittenBundle> {
  const { openQueries, readQuery } = await import("../database/database-queries.ts");
  const { dir, limits, check, sampleRows, open } = context;
  const database = (await open("database"))!;
  const queries: OwnQuery[] = [];
  for (const { name } of files) queries.push(await readQuery((await open(name))!));
  const asked = await openQueries({ kind, database, queries, dir, limits, check });
  try {
    const notes = [...asked.notes];
    const tables: string[] = [];
    for (const [i, { name, table }] of files.entries()) {
      const lines = asked.lines(queries[i]!, sampleRows, notes);
      await writeLines(join(dir, table), lines);
      if ((await stat(join(dir, table))).size > 0) tables.push(table);
      else notes.push(`the query of ${name} gives no rows.`);
    }
    if (tables.length === 0) throw nothingToRead(database.name, notes);
    return { tables, notes };
  } finally {
    await asked.close();
  }
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
