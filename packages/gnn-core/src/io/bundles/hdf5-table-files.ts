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
 * @param name of the file that they lie in
 * @throws GnnError DATASET_FORMAT_INVALID, DATASET_LIMIT_EXCEEDED
 */
export async function writeTables(
  context: BundleContext,
  name: string,
  file: Hdf5File,
  tables: readonly Hdf5Table[],
): Promise<WrittenBundle> {
  const read = tables.filter(hasRows);
  const names = fileNames(read);
  const empty = tables.filter((table) => !hasRows(table));
  const notes = [
    ...tables.flatMap((table) => table.notes),
    ...empty.map(({ path }) => `the table ${path} is left out: it has no rows, or no column that is read.`),
  ];
  for (const [i, found] of read.entries()) {
    const place = `${name}/${names[i]}`;
    checkColumns(place, found.columns.length, context.limits);
    checkRows(place, found.numRows, context.limits);
    const table = await withNames(file, found);
    await writeLines(join(context.dir, names[i]!), linesOf(context, file, table, place));
  }
  return { tables: names, notes };
}

/** In characters, which have at most four bytes: names of files may have 255 bytes. */
const mostCharacters = 50;

/** A table is called as the last part of its place, where no other is: `graph/edges` is `edges.jsonl`. */
function fileNames(tables: readonly Hdf5Table[]): string[] {
  const plain = (text: string) => text.replaceAll(/[^\p{L}\p{N}_-]+/gu, "_").slice(0, mostCharacters);
  const last = tables.map(({ path }) => plain(path.slice(path.lastIndexOf("/") + 1)).toLowerCase());
  const isAlone = (name: string) => last.filter((other) => other === name).length === 1;
  return tables.map(({ path }, i) => {
    const name = plain(path.slice(path.lastIndexOf("/") + 1));
    return `${isAlone(last[i]!) ? name : `${plain(path)}.${i + 1}`}.jsonl`;
  });
}

async function* linesOf({ sampleRows, check }: BundleContext, file: Hdf5File, table: Hdf5Table, place: string) {
  const keys = keysOf(table, place);
  for await (const rows of tableRows(file, table, sampleRows)) {
    check(place);
    yield rows.map((row) => lineOf(keys, row)).join("");
  }
}

/** The beginnings of a line's fields: `{"id":`, `,"age":`. @throws GnnError DATASET_FORMAT_INVALID */
function keysOf({ columns }: Hdf5Table, file: string): string[] {
  const names = columns.map(({ name }) => name);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) {
    const message = `${file} has two columns that are called ${twice}; expected a name of its own for each.`;
    throw new GnnError("DATASET_FORMAT_INVALID", message, { place: { file } });
  }
  return names.map((name, i) => `${i === 0 ? "{" : ","}${JSON.stringify(name)}:`);
}

function lineOf(keys: readonly string[], row: readonly CellValue[]): string {
  return `${keys.map((key, i) => `${key}${JSON.stringify(row[i])}`).join("")}}\n`;
}
