import { GnnError } from "../../errors/gnn-error.ts";
import { detectHeader } from "../dialect/header.ts";
import { RecordsTable } from "../graph-files/records-table.ts";
import { checkColumns, checkRows, overLimit, type ReadingLimits } from "../limits/reading-limits.ts";
import type { TableSource } from "../table-source.ts";
import { assertNotEmpty } from "../text-file.ts";
import { dateStylesOf } from "./date-styles.ts";
import { bytesOfText, sharedStringsOf } from "./shared-strings.ts";
import { type CellContext, rowsOf, type SheetRow } from "./sheet-rows.ts";
import { openWorkbook, type Sheet, type Workbook } from "./workbook.ts";

export interface XlsxOptions {
  readonly sheet: string;
  readonly header: boolean | "auto";
}

const compared = 200;

/**
 * Opens one sheet of a workbook. Its rows are kept in memory, as those of graph files are: Excel has a million of them.
 * Rows without a text are passed over, and places name the row as Excel numbers it.
 *
 * @throws GnnError DATASET_FILE_MISSING, DATASET_FILE_EMPTY, DATASET_FORMAT_INVALID, DATASET_LIMIT_EXCEEDED
 */
export async function openXlsx(
  path: string,
  options: XlsxOptions,
  name: string,
  limits: ReadingLimits,
): Promise<TableSource> {
  await assertNotEmpty(path, name);
  const workbook = await openWorkbook(path, name, limits);
  try {
    const sheet = chosenSheet(workbook, options.sheet);
    const context: CellContext = {
      sharedStrings: await sharedStringsOf(workbook, limits),
      dateStyles: await dateStylesOf(workbook),
      isFrom1904: workbook.isFrom1904,
      withoutResult: { count: 0, first: "" },
      rounded: { count: 0, first: "" },
    };
    const rows = await keptRows(rowsOf(workbook, sheet, context), name, limits);
    return tableOf(name, rows, options.header, notesOn(context));
  } finally {
    workbook.close();
  }
}

/** By its name; else by the end of the file's name; else the first that is not hidden. */
function chosenSheet({ name, sheets }: Workbook, wanted: string): Sheet {
  const found =
    wanted === ""
      ? (sheets.find((sheet) => name.endsWith(`/${sheet.name}`)) ??
        sheets.find(({ isHidden }) => !isHidden) ??
        sheets[0])
      : sheets.find((sheet) => sheet.name === wanted);
  if (found) return found;
  const there = sheets.map((sheet) => JSON.stringify(sheet.name)).join(", ");
  const message = `${name} has no sheet ${JSON.stringify(wanted)}; its sheets are: ${there}.`;
  throw new GnnError("DATASET_FILE_MISSING", message, { place: { file: name } });
}

async function keptRows(found: AsyncIterable<SheetRow>, file: string, limits: ReadingLimits): Promise<SheetRow[]> {
  const rows: SheetRow[] = [];
  let bytes = 0;
  for await (const row of found) {
    rows.push(row);
    checkRows(file, rows.length, limits);
    checkColumns(file, (row.cells.at(-1)?.[0] ?? 0) + 1, limits);
    for (const [, text] of row.cells) bytes += 2 * bytesOfText + 2 * text.length;
    if (bytes > limits.memoryBytes.most)
      throw overLimit(file, "its rows need more bytes of memory than they may have", limits.memoryBytes);
  }
  return rows;
}

function tableOf(file: string, all: readonly SheetRow[], choice: boolean | "auto", notes: string[]): TableSource {
  const used = usedColumns(all);
  const found = choice === "auto" ? headerOf(all, used) : { header: choice, reason: null, doubt: null };
  const rows = found.header ? all.slice(1) : all;
  if (rows.length === 0) throw noRows(file);
  const names = new Map(found.header ? all[0]!.cells.map(([column, text]) => [column, text.trim()]) : []);
  const columns = new Map<string, (string | null)[]>();
  const byPlace = new Map<number, (string | null)[]>();
  for (const column of used) {
    const name = names.get(column) ?? `column${column + 1}`;
    if (columns.has(name)) throw namedTwice(file, name, all[0]!.line);
    const values: (string | null)[] = Array.from({ length: rows.length }, () => null);
    columns.set(name, values);
    byPlace.set(column, values);
  }
  for (const [row, { cells }] of rows.entries()) for (const [column, text] of cells) byPlace.get(column)![row] = text;
  const table = new RecordsTable(file, { columns, lines: rows.map(({ line }) => line), directed: null });
  return {
    columns: table.columns,
    notes,
    dialect: {
      delimiter: ",",
      header: found.header,
      comment: "",
      skipLines: 0,
      decimal: ".",
      escape: '"',
      directed: null,
      columnNames: null,
      reasons: found.reason === null ? [] : [found.reason],
      doubts: found.doubt === null ? [] : [found.doubt],
    },
    read: (wanted) => table.read(wanted),
    lineOf: (row) => table.lineOf(row),
    close: () => table.close(),
  };
}

function usedColumns(rows: readonly SheetRow[]): number[] {
  const used = new Set<number>();
  for (const { cells } of rows) for (const [column] of cells) used.add(column);
  return [...used].toSorted((a, b) => a - b);
}

function headerOf(rows: readonly SheetRow[], used: readonly number[]) {
  const texts = rows.slice(0, compared).map(({ cells }) => {
    const byColumn = new Map(cells);
    return used.map((column) => byColumn.get(column) ?? "");
  });
  return detectHeader(texts, true);
}

function notesOn({ withoutResult, rounded }: CellContext): string[] {
  const notes: string[] = [];
  if (withoutResult.count > 0)
    notes.push(
      `${withoutResult.count} cells hold a formula without its result (${withoutResult.first} first), and are read as empty. Open the workbook in Excel or LibreOffice and save it again.`,
    );
  if (rounded.count > 0)
    notes.push(
      `${rounded.count} cells hold a whole number of more than 15 digits (${rounded.first} first), of which Excel keeps the first 15. Format ids as text, or two of them may be one.`,
    );
  return notes;
}

function noRows(file: string): GnnError {
  const message = `${file} has no rows; fill the sheet, or leave it out.`;
  return new GnnError("DATASET_FILE_EMPTY", message, { place: { file } });
}

function namedTwice(file: string, name: string, line: number): GnnError {
  const message = `${file} has two columns called "${name}"; rename one of them, or switch the header off if row ${line} is a row like the others.`;
  return new GnnError("DATASET_FORMAT_INVALID", message, { place: { file, line, field: name } });
}
