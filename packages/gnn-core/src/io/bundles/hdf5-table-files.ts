import { join } from "node:path";
import { GnnError } from "../../errors/gnn-error.ts";
import type { Hdf5File } from "../hdf5/hdf5-file.ts";
import type { Hdf5Table } from "../hdf5/hdf5-table.ts";
import type { CellValue } from "../hdf5/table-cells.ts";
import { tableRows, withNames } from "../hdf5/table-rows.ts";
import { checkColumns, checkRows } from "../limits/reading-limits.ts";
import type { BundleContext, WrittenBundle } from "./bundle.ts";
import { writeLines } from "./ogb-rows.ts";

/** Whether there is something to be read of a table. */
export function hasRows({ numRows, columns }: Hdf5Table): boolean {
  return numRows > 0 && columns.length > 0;
}

/**
 * Writes each table as a file of lines of JSON.
 *
 * @throws GnnError DATASET_FORMAT_INVALID, DATASET_LIMIT_EXCEEDED
 */
export async function writeTables(
  context: BundleContext,
  file: Hdf5File,
  tables: readonly Hdf5Table[],
): Promise<WrittenBundle> {
  const read = tables.filter(hasRows);
  const names = fileNames(read);
  const empty = tables.filter((table) => !hasRows(table));
  const notes = empty.map(({ path }) => `the table ${path} is left out: it has no rows, or no column that is read.`);
  for (const [i, found] of read.entries()) {
    const table = await withNames(file, found);
    checkColumns(found.path, table.columns.length, context.limits);
    checkRows(found.path, table.numRows, context.limits);
    await writeLines(join(context.dir, names[i]!), linesOf(context, file, table));
    notes.push(...table.notes);
  }
  return { tables: names, notes };
}

/** A table is called as the last part of its place, where no other is: `graph/edges` is `edges.jsonl`. */
function fileNames(tables: readonly Hdf5Table[]): string[] {
  const plain = (text: string) => text.replaceAll(/[^\p{L}\p{N}_-]+/gu, "_");
  const last = tables.map(({ path }) => plain(path.slice(path.lastIndexOf("/") + 1)));
  const count = (name: string) => last.filter((other) => other.toLowerCase() === name.toLowerCase()).length;
  return tables.map(({ path }, i) => `${count(last[i]!) === 1 ? last[i]! : `${plain(path)}_${i + 1}`}.jsonl`);
}

async function* linesOf({ sampleRows, check }: BundleContext, file: Hdf5File, table: Hdf5Table) {
  const keys = keysOf(table);
  for await (const rows of tableRows(file, table, sampleRows)) {
    check(table.path);
    yield rows.map((row) => lineOf(keys, row)).join("");
  }
}

/** The beginnings of a line's fields: `{"id":`, `,"age":`. @throws GnnError DATASET_FORMAT_INVALID */
function keysOf({ path, columns }: Hdf5Table): string[] {
  const names = columns.map(({ name }) => name);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) {
    const message = `The table ${path} has two columns that are called ${twice}; expected a name of its own for each.`;
    throw new GnnError("DATASET_FORMAT_INVALID", message, { place: { file: path } });
  }
  return names.map((name, i) => `${i === 0 ? "{" : ","}${JSON.stringify(name)}:`);
}

function lineOf(keys: readonly string[], row: readonly CellValue[]): string {
  return `${keys.map((key, i) => `${key}${JSON.stringify(row[i])}`).join("")}}\n`;
}
