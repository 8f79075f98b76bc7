import type { IntegerBatch } from "../table-source.ts";
import type { DuckDb } from "./connect.ts";

const maxId = 10 ** 15 - 1;
/** From here on a number rounds to the infinity of float32. */
const float32End = 2 ** 128 - 2 ** 103;

/**
 * Reads typed columns as `TableSource.readIntegers` does: all rows, or none when some value does not qualify.
 *
 * @param ids     SQL of integer columns; none: there is nothing to read this way
 * @param numbers SQL of columns that can be cast to a number
 */
export async function* readIntegerColumns(
  { connection }: DuckDb,
  from: string,
  ids: readonly string[],
  numbers: readonly string[],
): AsyncGenerator<IntegerBatch, boolean, undefined> {
  if (ids.length === 0) return false;
  const doubles = [...ids, ...numbers].map((sql) => `TRY_CAST(${sql} AS DOUBLE)`);
  const fits = doubles.map((sql, i) => `abs(${sql}) <= ${i < ids.length ? maxId : float32End * (1 - 2 ** -52)}`);
  const checked = `SELECT bool_and(coalesce(${fits.join(" AND ")}, false)) FROM ${from}`;
  const all = await connection.runAndReadAll(checked).catch(() => null);
  if (all?.getRows()[0]?.[0] !== true) return false;
  // A stream that fails half-way ends as if it were complete: a last row of our own tells (see DuckDbTable).
  const end = doubles.map(() => "'nan'::DOUBLE").join(", ");
  const result = await connection.stream(`SELECT ${doubles.join(", ")} FROM ${from} UNION ALL SELECT ${end}`);
  for (;;) {
    const chunk = await result.fetchChunk();
    if (!chunk || chunk.rowCount === 0) return false;
    const columns = doubles.map((_, i) => Float64Array.from(chunk.getColumnVector(i).toArray() as number[]));
    const isEnd = Number.isNaN(columns[0]![chunk.rowCount - 1]);
    const numRows = isEnd ? chunk.rowCount - 1 : chunk.rowCount;
    const [idColumns, numberColumns] = [columns.slice(0, ids.length), columns.slice(ids.length)].map((part) =>
      part.map((values) => values.subarray(0, numRows)),
    ) as [Float64Array[], Float64Array[]];
    if (numRows > 0) yield { numRows, ids: idColumns, numbers: numberColumns };
    if (isEnd) return true;
  }
}
