import { GnnError } from "../../errors/gnn-error.ts";
import { borrowDuckDb, sqlName, sqlPath } from "../duckdb/connect.ts";
import { DuckDbTable } from "../duckdb/duckdb-table.ts";
import { withListShapes } from "../duckdb/list-shapes.ts";
import { readIntegerColumns } from "../duckdb/read-integer-columns.ts";
import type { ReadingLimits } from "../limits/reading-limits.ts";
import type { ColumnInfo, TableSource } from "../table-source.ts";
import { assertNotEmpty } from "../text-file.ts";
import { checkParquet } from "./check-parquet.ts";

/**
 * Opens a Parquet file; only its footer is read. Rows count from 1 in errors.
 *
 * @throws GnnError DATASET_FILE_MISSING, DATASET_FILE_EMPTY, DATASET_FORMAT_INVALID, DATASET_LIMIT_EXCEEDED
 */
export async function openParquet(path: string, name: string, limits: ReadingLimits): Promise<TableSource> {
  await assertNotEmpty(path, name);
  const explain = async (cause: unknown) => notParquet(name, cause);
  // First, so that whoever lacks it hears what to install.
  const duckDb = await borrowDuckDb(limits);
  // Old writers mark no text as text.
  const from = `read_parquet(${sqlPath(path)}, binary_as_string=true)`;
  try {
    if (!(await checkParquet(path, name, limits))) throw new Error("no footer");
    const schema = await duckDb.connection.runAndReadAll(`DESCRIBE SELECT * FROM ${from}`);
    const described = schema.getRows().map(([column, type]) => columnOf(String(column), String(type)));
    const columns = await withListShapes(duckDb.connection, from, described, sqlName);
    const expression = (column: number) => sqlName(columns[column]!.name);
    const sqlOf = (positions: readonly number[]) => positions.map(expression);
    return new DuckDbTable({
      duckDb,
      name,
      limits,
      columns,
      from,
      expression,
      lineOf: async (row) => row + 1,
      explain,
      readIntegers: (ids, numbers) => {
        const isInteger = ids.every((position) => columns[position]!.type === "int64");
        return readIntegerColumns(duckDb, from, isInteger ? sqlOf(ids) : [], sqlOf(numbers));
      },
    });
  } catch (error) {
    duckDb.close();
    throw error instanceof GnnError ? error : notParquet(name, error);
  }
}

function columnOf(name: string, type: string): ColumnInfo {
  if (/^(U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?)$/.test(type)) return { name, type: "int64" };
  if (/^(FLOAT|DOUBLE|DECIMAL\([\d,]+\))$/.test(type)) return { name, type: "double" };
  if (type === "VARCHAR") return { name, type: "text" };
  if (/^(DATE|TIME.*)$/.test(type) && !type.endsWith("]")) return { name, type: "text" };
  if (type === "BOOLEAN") return { name, type: "boolean" };
  return { name, type: type.endsWith("]") ? "list" : "other" };
}

function notParquet(file: string, cause: unknown): GnnError {
  const message = `${file} is not a whole Parquet file; its beginning, end or pages are damaged. Upload it again.`;
  return new GnnError("DATASET_FORMAT_INVALID", message, { cause, place: { file } });
}
