import { GnnError } from "../../errors/gnn-error.ts";
import { lookOf } from "../column-type.ts";
import { recordsOf } from "../dialect/delimiter.ts";
import { detectDialect, type TextHead, textFromLine } from "../dialect/detect-dialect.ts";
import type { DialectChoice } from "../dialect/dialect.ts";
import { withDistinctEnds } from "../dialect/distinct-ends.ts";
import { borrowDuckDb, type DuckDb, sqlPath, sqlText } from "../duckdb/connect.ts";
import { DuckDbTable, type DuckDbTableOptions } from "../duckdb/duckdb-table.ts";
import { checkColumns, type ReadingLimits } from "../limits/reading-limits.ts";
import { scanIntegerText } from "../scan-integer-text.ts";
import { scanTextIds } from "../scan-text-ids.ts";
import type { TableSource } from "../table-source.ts";
import {
  assertLines,
  assertNotEmpty,
  assertWhole,
  type Compression,
  compressionOf,
  decodeText,
  readHead,
  unpackedBytes,
  withoutLines,
} from "../text-file.ts";

const typeSample = 200;

/**
 * Opens a text file with fields between blanks, such as a SNAP edge list. The first row decides the number of columns;
 * without a header or a comment that names them they are `src`, `dst`, then `column3` and so on.
 *
 * @throws GnnError DATASET_FILE_MISSING, DATASET_FILE_EMPTY, DATASET_FORMAT_INVALID, DATASET_LIMIT_EXCEEDED
 */
export async function openEdgeList(
  path: string,
  choice: DialectChoice,
  name: string,
  limits: ReadingLimits,
): Promise<TableSource> {
  await assertNotEmpty(path, name);
  const compression = await compressionOf(path);
  await assertWhole(path, compression, name, limits);
  if (compression !== "zstd") await assertLines(path, compression, name);
  const duckDb = await borrowDuckDb(limits);
  try {
    return await tableOf(duckDb, name, path, compression, choice, limits);
  } catch (error) {
    duckDb.close();
    throw error instanceof GnnError ? error : notAnEdgeList(name, error);
  }
}

async function tableOf(
  duckDb: DuckDb,
  name: string,
  path: string,
  compression: Compression,
  choice: DialectChoice,
  limits: ReadingLimits,
): Promise<TableSource> {
  const head = await headOf(duckDb, path, name, compression);
  const dialect = detectDialect(head, { ...choice, delimiter: "blanks" });
  // Without comments at the top, those further down begin with # as everywhere.
  const comment = dialect.comment === "" && choice.comment !== "none" ? "#" : dialect.comment;
  const skipLines = dialect.skipLines + (dialect.header ? 1 : 0);
  const lines = linesOf(path, compression, skipLines);
  const rows = `SELECT regexp_split_to_array(trim(line, E' \\t\\r'), '[ \\t]+') AS v FROM ${lines} WHERE ${isEdge(comment)}`;
  const sample = await duckDb.connection.runAndReadAll(
    `SELECT array_to_string(v, E'\\t') FROM (${rows}) LIMIT ${typeSample}`,
  );
  const values = sample.getRows().map(([row]) => decodeText(Buffer.from(String(row)), name).split("\t"));
  const numColumns = values[0]?.length ?? 0;
  checkColumns(name, numColumns, limits);
  if (numColumns < 2) throw values[0] ? tooFew(name, numColumns) : noEdges(name);
  const header = dialect.header
    ? recordsOf(textFromLine(head.text, dialect.skipLines), "blanks", true, 1)[0]
    : undefined;
  // Without a header the ends are src and dst, whatever a comment calls them.
  const given = (header && withDistinctEnds(header)) ??
    choice.columnNames ?? ["src", "dst", ...(dialect.columnNames?.slice(2) ?? [])];
  const columns = Array.from({ length: numColumns }, (_, i) => ({
    name: given[i] ?? `column${i + 1}`,
    ...lookOf(
      values.map((row) => row[i] ?? null),
      dialect.decimal,
    ),
  }));
  const lineOf = async (row: number) => skipLines + (await lineOfEdge(duckDb, lines, comment, row));
  return new DuckDbTable({
    duckDb,
    name,
    limits,
    columns,
    dialect,
    // A ragged row makes the query fail; which one it was is asked afterwards.
    from: `(SELECT CASE WHEN len(v) = ${numColumns} THEN v ELSE error('ragged') END AS v FROM (${rows}))`,
    expression: (column) => `v[${column + 1}]`,
    lineOf,
    // Those ways know numbers with a point alone.
    ...(compression === "zstd" || dialect.decimal === ","
      ? {}
      : fastWays(path, compression, { comment, skipLines, numColumns })),
    explain: (error) => explain({ duckDb, file: name, lines, comment, skipLines, numColumns }, error),
  });
}

function fastWays(
  path: string,
  compression: "none" | "gzip",
  { comment, skipLines, numColumns }: Pick<EdgeListRelation, "comment" | "skipLines" | "numColumns">,
): Pick<DuckDbTableOptions, "readIntegers" | "readTextIds"> {
  const isShort = comment.length < 2;
  const rows = () => withoutLines(unpackedBytes(path, compression), skipLines);
  const shape = { delimiter: "", comment: isShort ? comment : "", header: false, numColumns };
  return {
    readIntegers: (ids, numbers) => scanIntegerText(rows(), { ...shape, ids, numbers }),
    // A comment that begins with two characters would be a row of ids.
    ...(isShort && { readTextIds: (ids, numbers) => scanTextIds(rows(), { ...shape, ids, numbers }) }),
  };
}

/**
 * The beginning of such a file, whatever it is packed with.
 *
 * @throws GnnError DATASET_FILE_MISSING, DATASET_FILE_EMPTY, DATASET_FORMAT_INVALID
 */
export async function edgeListHead(path: string, name: string, limits: ReadingLimits): Promise<TextHead> {
  await assertNotEmpty(path, name);
  const compression = await compressionOf(path);
  if (compression !== "zstd") return readHead(path, compression, name);
  await assertWhole(path, compression, name, limits);
  const duckDb = await borrowDuckDb(limits);
  try {
    return await headOf(duckDb, path, name, compression);
  } finally {
    duckDb.close();
  }
}

/** The first lines: what is packed with zstd, only DuckDB unpacks. */
async function headOf(duckDb: DuckDb, path: string, name: string, compression: Compression): Promise<TextHead> {
  if (compression !== "zstd") return readHead(path, compression, name);
  const limit = typeSample + 100;
  const all = await duckDb.connection.runAndReadAll(
    `SELECT coalesce(line, '') FROM ${linesOf(path, compression, 0)} LIMIT ${limit}`,
  );
  const lines = all.getRows().map(([line]) => `${String(line)}\n`);
  return { text: decodeText(Buffer.from(lines.join("")), name), isWhole: lines.length < limit };
}

function linesOf(path: string, compression: Compression, skipLines: number): string {
  return (
    `read_csv(${sqlPath(path)}, auto_detect=false, columns={line: 'VARCHAR'}, header=false, delim=chr(1), skip=${skipLines}, ` +
    `quote='', escape='', compression=${sqlText(compression)})`
  );
}

function isEdge(comment: string): string {
  const isRow = `line IS NOT NULL AND trim(line, E' \\t\\r') != ''`;
  return comment === "" ? isRow : `${isRow} AND NOT starts_with(line, ${sqlText(comment)})`;
}

async function lineOfEdge(duckDb: DuckDb, lines: string, comment: string, row: number): Promise<number> {
  const numbered = `SELECT line, row_number() OVER () AS place FROM ${lines}`;
  const sql = `SELECT place FROM (${numbered}) WHERE ${isEdge(comment)} ORDER BY place LIMIT 1 OFFSET ${row}`;
  const found = await duckDb.connection.runAndReadAll(sql);
  return Number(found.getRows()[0]?.[0] ?? row + 1);
}

interface EdgeListRelation {
  readonly duckDb: DuckDb;
  readonly file: string;
  readonly lines: string;
  readonly comment: string;
  readonly skipLines: number;
  readonly numColumns: number;
}

async function explain(
  { duckDb, file, lines, comment, skipLines, numColumns }: EdgeListRelation,
  cause: unknown,
): Promise<GnnError> {
  if (!String(cause).includes("ragged")) return notAnEdgeList(file, cause);
  const split = `len(regexp_split_to_array(trim(line, E' \\t\\r'), '[ \\t]+'))`;
  const numbered = `SELECT line, row_number() OVER () AS place FROM ${lines}`;
  const sql = `SELECT place, ${split} FROM (${numbered}) WHERE ${isEdge(comment)} AND ${split} != ${numColumns} ORDER BY place LIMIT 20`;
  const rows = (await duckDb.connection.runAndReadAll(sql)).getRows();
  const line = skipLines + Number(rows[0]?.[0] ?? 1);
  const others = rows.slice(1).map(([place]) => String(skipLines + Number(place)));
  const rest = others.length > 0 ? ` Also on lines ${others.join(", ")}.` : "";
  const message = `${file}, line ${line}: found ${String(rows[0]?.[1])} columns, expected ${numColumns} as in the first edge.${rest}`;
  return new GnnError("DATASET_ROW_INVALID", message, { cause, place: { file, line } });
}

function tooFew(file: string, found: number): GnnError {
  const message = `${file}: the first line has ${found} column; expected src and dst between blanks or tabs.`;
  return new GnnError("DATASET_FORMAT_INVALID", message, { place: { file } });
}

function noEdges(file: string): GnnError {
  return new GnnError("DATASET_FILE_EMPTY", `${file} has no edges, only comments or blank lines.`, { place: { file } });
}

function notAnEdgeList(file: string, cause: unknown): GnnError {
  const message = `${file} is not UTF-8 text with one edge a line. Choose another reader or convert the file.`;
  return new GnnError("DATASET_FORMAT_INVALID", message, { cause, place: { file } });
}
