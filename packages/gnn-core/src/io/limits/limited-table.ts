import type { TableBatch, TableSource } from "../table-source.ts";
import { checkColumns, checkRows, type ReadingLimits } from "./reading-limits.ts";

/**
 * A table whose rows and columns are counted as they are read: whatever reader made it, and whatever its file says of
 * itself, it gives no more of them than the limits allow.
 *
 * @throws GnnError DATASET_LIMIT_EXCEEDED
 */
export function limitedTable(table: TableSource, file: string, limits: ReadingLimits): TableSource {
  checkColumns(file, table.columns.length, limits);
  return {
    columns: table.columns,
    ...(table.dialect ? { dialect: table.dialect } : {}),
    directed: table.directed ?? null,
    notes: table.notes ?? [],
    read: (columns) => limitedRows(table.read(columns), file, limits),
    ...(table.readIntegers
      ? { readIntegers: (ids, numbers) => limitedBatches(table.readIntegers!(ids, numbers), file, limits) }
      : {}),
    ...(table.readTextIds
      ? { readTextIds: (ids, numbers) => limitedBatches(table.readTextIds!(ids, numbers), file, limits) }
      : {}),
    lineOf: (row) => table.lineOf(row),
    close: () => table.close(),
  };
}

async function* limitedRows(
  batches: AsyncIterable<TableBatch>,
  file: string,
  limits: ReadingLimits,
): AsyncIterable<TableBatch> {
  let rows = 0;
  for await (const batch of batches) {
    rows += batch.numRows;
    checkRows(file, rows, limits);
    yield batch;
  }
}

async function* limitedBatches<Batch extends { readonly numRows: number }>(
  batches: AsyncGenerator<Batch, boolean, undefined>,
  file: string,
  limits: ReadingLimits,
): AsyncGenerator<Batch, boolean, undefined> {
  let rows = 0;
  try {
    for (;;) {
      const next = await batches.next();
      if (next.done) return next.value;
      rows += next.value.numRows;
      checkRows(file, rows, limits);
      yield next.value;
    }
  } finally {
    await batches.return(false);
  }
}
