import { GnnError } from "../../errors/gnn-error.ts";
import { borrowDuckDb, type DuckDb, isOutOfMemory, sqlPath, sqlText } from "../duckdb/connect.ts";
import { DuckDbTable } from "../duckdb/duckdb-table.ts";
import { withListShapes } from "../duckdb/list-shapes.ts";
import { readIntegerColumns } from "../duckdb/read-integer-columns.ts";
import { checkColumns, overLimit, type ReadingLimits } from "../limits/reading-limits.ts";
import type { ColumnInfo, TableSource } from "../table-source.ts";
import { assertNotEmpty, assertWhole, compressionOf } from "../text-file.ts";
import { explainJsonError } from "./explain-json-error.ts";
import { layoutOf } from "./json-layout.ts";
import { type JsonFile, lineOfRecord } from "./record-lines.ts";

/** Keys are looked for in so many objects. */
const sampled = 20_480;
/** Above this, JSON numbers with a fraction or too many digits are kept as the nearest double: two ids may be one. */
const exactEnd = 2 ** 53;

/**
 * Opens a file of JSON objects, a row each. Texts come as they are, numbers in their shortest form; a key that an
 * object lacks is null there.
 *
 * @throws GnnError DATASET_FILE_MISSING, DATASET_FILE_EMPTY, DATASET_FORMAT_INVALID, DATASET_ROW_INVALID,
 * DATASET_LIMIT_EXCEEDED
 */
export async function openJsonRecords(path: string, name: string, limits: ReadingLimits): Promise<TableSource> {
  await assertNotEmpty(path, name);
  const compression = await compressionOf(path);
  if (compression === "zstd") throw packedWithZstd(name);
  await assertWhole(path, compression, name, limits);
  const file = { path, name, compression, layout: await layoutOf(path, compression, name) };
  const duckDb = await borrowDuckDb(limits);
  const explain = (cause: unknown) => explainJsonError(file, cause);
  const from = objectsOf(file);
  try {
    const names = await keysOf(duckDb, from);
    checkColumns(name, names.length, limits);
    const columns = await columnsOf(duckDb, from, names);
    const expression = (column: number) => textOf(columns[column]!.name);
    return new DuckDbTable({
      duckDb,
      name,
      limits,
      columns,
      from,
      expression,
      lineOf: (row) => lineOfRecord(file, row),
      explain,
      readIntegers: (ids, numbers) =>
        readIntegerColumns(
          duckDb,
          from,
          ids.map((column) => integerOf(columns[column]!.name)),
          numbers.map(expression),
        ),
    });
  } catch (error) {
    duckDb.close();
    if (error instanceof GnnError) throw error;
    if (isOutOfMemory(error)) throw overLimit(name, "its rows need more memory than they may have", limits.memoryBytes);
    throw await explain(error);
  }
}

/** FROM clause of a column `json` of objects; what is none ends the query. */
function objectsOf({ path, compression, layout }: JsonFile): string {
  const format = layout === "lines" ? "newline_delimited" : "array";
  const options = `format='${format}', compression='${compression === "gzip" ? "gzip" : "uncompressed"}'`;
  const object = "CASE WHEN json_type(json) = 'OBJECT' THEN json ELSE error('no object') END";
  return `(SELECT ${object} AS json FROM read_json_objects(${sqlPath(path)}, ${options}))`;
}

/** The first objects, with their numbers. */
const sampleOf = (from: string) =>
  `(SELECT json, row_number() OVER () AS row FROM (SELECT json FROM ${from} LIMIT ${sampled}))`;

/** The keys in the order in which they first appear. */
async function keysOf({ connection }: DuckDb, from: string): Promise<string[]> {
  const keys = `SELECT json_keys(json) AS keys, min(row) AS first FROM ${sampleOf(from)} GROUP BY keys ORDER BY first`;
  const found = await connection.runAndReadAll(keys);
  return [...new Set(found.getRowsJson().flatMap(([list]) => list as unknown as string[]))];
}

/** Each key with the type that its values look like. */
async function columnsOf({ connection }: DuckDb, from: string, names: readonly string[]): Promise<ColumnInfo[]> {
  if (names.length === 0) return [];
  const facts = names.flatMap((key) => {
    const value = pointerTo(key);
    const filled = `json_type(json, ${value}) <> 'NULL'`;
    const all = (test: string) => `coalesce(bool_and(${test}) FILTER (${filled}), false)`;
    const text = `json ->> ${value}`;
    return [
      all(`json_type(json, ${value}) = 'ARRAY'`),
      all(`json_type(json, ${value}) = 'OBJECT'`),
      all(`json_type(json, ${value}) = 'BOOLEAN'`),
      all(`regexp_full_match(${text}, '-?\\d{1,18}')`),
      all(`isfinite(TRY_CAST(${text} AS DOUBLE))`),
    ];
  });
  const rows = await connection.runAndReadAll(`SELECT ${facts.join(", ")} FROM ${sampleOf(from)}`);
  const flags = rows.getRows()[0] ?? [];
  const types = ["list", "other", "boolean", "int64", "double"] as const;
  const columns = names.map((key, i) => ({
    name: key,
    type: types.find((_, j) => flags[i * types.length + j] === true) ?? ("text" as const),
  }));
  return withListShapes(connection, sampleOf(from), columns, textOf);
}

/** A value as text. A number that has lost digits is refused: as an id it could be another node's. */
function textOf(key: string): string {
  const value = pointerTo(key);
  const text = `(json ->> ${value})`;
  const isRounded = `json_type(json, ${value}) = 'DOUBLE' AND abs(TRY_CAST(${text} AS DOUBLE)) >= ${exactEnd}`;
  return `(CASE WHEN ${isRounded} THEN error('rounded') ELSE ${text} END)`;
}

/** A JSON integer; null for texts such as "007", which are ids of another kind. */
function integerOf(key: string): string {
  const value = pointerTo(key);
  return `(CASE WHEN json_type(json, ${value}) IN ('BIGINT', 'UBIGINT') THEN json ->> ${value} END)`;
}

/** RFC 6901 */
function pointerTo(key: string): string {
  return sqlText(`/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`);
}

function packedWithZstd(file: string): GnnError {
  const message = `${file} is JSON packed with zstd, which is unpacked for CSV alone. Pack it with gzip, or not at all.`;
  return new GnnError("DATASET_FORMAT_INVALID", message, { place: { file } });
}
