import { GnnError } from "../../errors/gnn-error.ts";
import { lookOf } from "../column-type.ts";
import { detectDialect, textFromLine } from "../dialect/detect-dialect.ts";
import { type Delimiter, type Dialect, type DialectChoice, type Escape, hasQuotes } from "../dialect/dialect.ts";
import { withDistinctEnds } from "../dialect/distinct-ends.ts";
import { borrowDuckDb, type DuckDb, sqlPath, sqlText } from "../duckdb/connect.ts";
import { DuckDbTable, type DuckDbTableOptions } from "../duckdb/duckdb-table.ts";
import { checkColumns, type ReadingLimits } from "../limits/reading-limits.ts";
import { scanIntegerText } from "../scan-integer-text.ts";
import { scanTextIds } from "../scan-text-ids.ts";
import type { ColumnInfo, TableSource } from "../table-source.ts";
import {
  assertNotEmpty,
  assertWhole,
  type Compression,
  compressionOf,
  decodeText,
  readHead,
  unpackedBytes,
  withoutLines,
} from "../text-file.ts";
import { parseRecords } from "./csv-head.ts";
import { explainCsvError } from "./explain-csv-error.ts";
import { lineOfCsvRow } from "./line-of-csv-row.ts";
import { withMovieLensNames } from "./movie-lens.ts";

export interface CsvOptions extends DialectChoice {
  readonly delimiter: "auto" | Exclude<Delimiter, "blanks">;
}

/** Where one CSV file lies and how it is written. */
export interface CsvDialect {
  readonly path: string;
  readonly name: string;
  readonly compression: Compression;
  readonly delimiter: string;
  readonly header: boolean;
  /** Lines before the header or the first row. */
  readonly skipLines: number;
  readonly numColumns: number;
  readonly escape: Escape;
}

const typeSample = 200;

/**
 * Opens a CSV file; only its beginning is read.
 *
 * @throws GnnError DATASET_FILE_MISSING, DATASET_FILE_EMPTY, DATASET_FORMAT_INVALID, DATASET_LIMIT_EXCEEDED
 */
export async function openCsv(
  path: string,
  options: CsvOptions,
  name: string,
  limits: ReadingLimits,
): Promise<TableSource> {
  await assertNotEmpty(path, name);
  const compression = await compressionOf(path);
  await assertWhole(path, compression, name, limits);
  const duckDb = await borrowDuckDb(limits);
  try {
    const head = compression === "zstd" ? await zstdHead(duckDb, path, name) : await readHead(path, compression, name);
    return tableOf(duckDb, path, name, compression, options, head, limits);
  } catch (error) {
    duckDb.close();
    throw error;
  }
}

function tableOf(
  duckDb: DuckDb,
  path: string,
  name: string,
  compression: Compression,
  options: CsvOptions,
  head: { text: string; isWhole: boolean },
  limits: ReadingLimits,
): TableSource {
  const text = head.text.replace(/^\ufeff/, "");
  const seen = detectDialect({ text, isWhole: head.isWhole }, options);
  const delimiter = delimiterOf(seen, name);
  const records = parseRecords(
    textFromLine(text, seen.skipLines),
    delimiter,
    typeSample + 1,
    head.isWhole,
    seen.escape,
  );
  const [first] = records;
  if (!first) throw noRows(name, head.isWhole);
  const found = withMovieLensNames(seen, name, first.length);
  checkColumns(name, first.length, limits);
  const columns = columnsOf(first, found.header ? records.slice(1) : records, found, name);
  const { header, skipLines, escape } = found;
  const dialect = { path, name, compression, delimiter, header, skipLines, numColumns: columns.length, escape };
  return new DuckDbTable({
    duckDb,
    name,
    limits,
    columns,
    dialect: found,
    from: csvRelation(dialect),
    expression: (column) => `c${column}`,
    lineOf: (row) => lineOfCsvRow(dialect, row),
    ...(compression === "zstd" || !isPlain(found) ? {} : fastWays(dialect, compression)),
    explain: (error) => explainCsvError(dialect, error),
  });
}

/** Fast ways know delimiters of one character, numbers with a point, and quotes as RFC 4180 has them. */
function isPlain({ delimiter, decimal, escape }: Dialect): boolean {
  return delimiter.length === 1 && decimal === "." && escape === '"';
}

function fastWays(
  { path, delimiter, header, skipLines, numColumns }: CsvDialect,
  compression: "none" | "gzip",
): Pick<DuckDbTableOptions, "readIntegers" | "readTextIds"> {
  const rows = () => withoutLines(unpackedBytes(path, compression), skipLines);
  const shape = { delimiter, comment: "", header, numColumns };
  return {
    readIntegers: (ids, numbers) => scanIntegerText(rows(), { ...shape, ids, numbers }),
    readTextIds: (ids, numbers) => scanTextIds(rows(), { ...shape, ids, numbers }),
  };
}

/** Fields between blanks have a reader of their own; a file of one column has no delimiter at all. */
function delimiterOf({ delimiter }: Dialect, file: string): string {
  if (delimiter !== "blanks") return delimiter;
  const message = `${file}: its fields stand between blanks, not between commas, tabs or another delimiter. Choose the reader edge-list.`;
  throw new GnnError("DATASET_FORMAT_INVALID", message, { place: { file } });
}

function columnsOf(
  first: readonly string[],
  rows: readonly string[][],
  { header, columnNames, skipLines, decimal }: Dialect,
  file: string,
): ColumnInfo[] {
  const given = header ? first.map((text) => text.trim()) : (columnNames ?? []);
  const names = withDistinctEnds(first.map((_, i) => given[i] || `column${i + 1}`));
  const seen = new Set<string>();
  const repeated = names.find((name) => seen.size === seen.add(name).size);
  if (repeated !== undefined) {
    const message = `${file} has two columns called "${repeated}"; rename one of them, or switch the header off if line ${skipLines + 1} is a row.`;
    throw new GnnError("DATASET_FORMAT_INVALID", message, { place: { file, line: skipLines + 1, field: repeated } });
  }
  return names.map((name, i) => ({
    name,
    ...lookOf(
      rows.map((row) => row[i] ?? null),
      decimal,
    ),
  }));
}

function csvRelation(dialect: CsvDialect): string {
  const { path, compression, delimiter, header, skipLines, numColumns, escape } = dialect;
  // Nothing is sniffed: every column is text, so that 007 stays 007.
  const columns = Array.from({ length: numColumns }, (_, i) => `c${i}: 'VARCHAR'`).join(", ");
  const quotes = hasQuotes(delimiter) ? `quote='"', escape=${sqlText(escape)}` : "quote='', escape=''";
  return (
    `read_csv(${sqlPath(path)}, auto_detect=false, columns={${columns}}, header=${header}, delim=${sqlText(delimiter)}, ` +
    `${quotes}, skip=${skipLines}, compression=${sqlText(compression)}, max_line_size=16777216)`
  );
}

async function zstdHead(duckDb: DuckDb, path: string, name: string): Promise<{ text: string; isWhole: boolean }> {
  const limit = typeSample + 2;
  const from = `read_csv(${sqlPath(path)}, auto_detect=false, columns={line: 'VARCHAR'}, header=false, delim=chr(2), quote='', escape='', compression='zstd')`;
  try {
    const lines = await duckDb.connection.runAndReadAll(`SELECT coalesce(line, '') FROM ${from} LIMIT ${limit}`);
    const text = lines
      .getRows()
      .map(([line]) => `${String(line)}\n`)
      .join("");
    return { text: decodeText(Buffer.from(text), name), isWhole: lines.currentRowCount < limit };
  } catch (cause) {
    if (cause instanceof GnnError) throw cause;
    const message = `${name} cannot be unpacked: its zstd data are cut off or damaged. Upload it again.`;
    throw new GnnError("DATASET_FORMAT_INVALID", message, { cause, place: { file: name } });
  }
}

function noRows(file: string, isWhole: boolean): GnnError {
  if (isWhole) {
    return new GnnError("DATASET_FILE_EMPTY", `${file} has no rows; upload it again or leave it out.`, {
      place: { file },
    });
  }
  const message = `${file}: the first line does not end within 256 KiB; expected delimited text.`;
  return new GnnError("DATASET_FORMAT_INVALID", message, { place: { file, line: 1 } });
}
