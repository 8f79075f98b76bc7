import { GnnError } from "../../errors/gnn-error.ts";
import { assertNotEmpty, compressionOf, unpackedBytes } from "../text-file.ts";

/** A file of numbers, a row a line. */
export interface NumberTable {
  /** For messages */
  readonly file: string;
  readonly numRows: number;
  readonly numColumns: number;
  /** float64 [numRows, numColumns] */
  readonly values: Float64Array;
}

const mostLineBytes = 64 * 1024;
/** float64 of 2^28 numbers take 2 GiB. */
const mostNumbers = 2 ** 28;

/** One line of a file of numbers */
export interface NumberRow {
  /** From 1 */
  readonly line: number;
  readonly values: readonly number[];
}

/**
 * Lines of numbers with commas between them, plain or gzipped; blank lines at the end count for nothing. Memory is that
 * of a piece of the file.
 *
 * @param numColumns left out: as many as the first line has
 * @throws GnnError with file and line: DATASET_FILE_MISSING, DATASET_FILE_EMPTY, DATASET_ROW_INVALID,
 * DATASET_VALUE_INVALID, DATASET_LIMIT_EXCEEDED
 */
export async function* numberRows(path: string, file: string, numColumns?: number): AsyncGenerator<NumberRow> {
  await assertNotEmpty(path, file);
  let [line, numRows] = [0, 0];
  let width = numColumns;
  let blank: number | null = null;
  for await (const text of linesOf(path, file)) {
    line += 1;
    if (text.trim() === "") {
      blank ??= line;
      continue;
    }
    if (blank !== null) throw invalid("DATASET_ROW_INVALID", file, blank, "the line is blank; expected numbers");
    const cells = text.split(",");
    width ??= cells.length;
    if (cells.length !== width) {
      const found = `${cells.length} values; expected ${width}, with commas between`;
      throw invalid("DATASET_ROW_INVALID", file, line, found);
    }
    const at = line;
    yield { line, values: cells.map((cell) => numberOf(cell, file, at)) };
    numRows += 1;
  }
  if (numRows === 0) throw invalid("DATASET_FILE_EMPTY", file, 1, "there are no numbers; expected at least one line");
}

/**
 * Reads all of a file as `numberRows` does. @throws GnnError those, and DATASET_LIMIT_EXCEEDED for what memory lacks
 */
export async function readNumbers(path: string, file: string, numColumns?: number): Promise<NumberTable> {
  let values = new Float64Array(1024);
  let [numRows, used, width] = [0, 0, numColumns ?? 0];
  for await (const row of numberRows(path, file, numColumns)) {
    width = row.values.length;
    if (used + width > mostNumbers) {
      throw invalid("DATASET_LIMIT_EXCEEDED", file, row.line, `more than ${mostNumbers} numbers; expected no more`);
    }
    while (used + width > values.length) values = grown(values);
    for (const value of row.values) values[used++] = value;
    numRows += 1;
  }
  return { file, numRows, numColumns: width, values: values.subarray(0, used) };
}

/** @throws GnnError DATASET_VALUE_INVALID unless the value is an integer of 32 bits */
export function requireInteger({ values, numColumns, file }: NumberTable, row: number, column: number): number {
  return integerOf(values[row * numColumns + column] as number, file, row + 1);
}

/** @throws GnnError DATASET_VALUE_INVALID unless the value is an integer of 32 bits */
export function integerOf(value: number, file: string, line: number): number {
  if (value === (value | 0)) return value;
  throw invalid("DATASET_VALUE_INVALID", file, line, `${value} is no integer of 32 bits; expected one`);
}

function numberOf(cell: string, file: string, line: number): number {
  const text = cell.trim();
  const value = text === "" ? Number.NaN : Number(text);
  if (Number.isFinite(value)) return value;
  throw invalid("DATASET_VALUE_INVALID", file, line, `"${text.slice(0, 40)}" is no number; expected a finite one`);
}

/** The lines of a text file, in memory for one of the longest. */
async function* linesOf(path: string, file: string): AsyncGenerator<string> {
  let rest = "";
  let line = 0;
  const compression = await compressionOf(path);
  if (compression === "zstd")
    throw invalid("DATASET_VALUE_INVALID", file, 1, "it is packed by zstd; expected plain text or gzip");
  for await (const chunk of unpackedBytes(path, compression)) {
    const lines = (rest + Buffer.from(chunk).toString("latin1")).split(/\r?\n/);
    rest = lines.pop() ?? "";
    for (const each of lines) {
      line += 1;
      yield each;
    }
    if (rest.length > mostLineBytes) {
      throw invalid("DATASET_LIMIT_EXCEEDED", file, line + 1, `the line is longer than ${mostLineBytes} bytes`);
    }
  }
  if (rest !== "") yield rest;
}

function grown(values: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(2 * values.length);
  larger.set(values);
  return larger;
}

function invalid(
  code: "DATASET_FILE_EMPTY" | "DATASET_ROW_INVALID" | "DATASET_VALUE_INVALID" | "DATASET_LIMIT_EXCEEDED",
  file: string,
  line: number,
  found: string,
): GnnError {
  return new GnnError(code, `${file}, line ${line}: ${found}.`, { place: { file, line } });
}
