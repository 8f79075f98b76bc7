import { openTable, type ReaderChoice } from "../uploaded-files.ts";
import type { IngestContext } from "./ingest-context.ts";

/** Where a row of several files stands, counted over all of them. Slow: for errors only. */
export async function placeOfRow(
  context: IngestContext,
  files: readonly string[],
  reader: ReaderChoice | undefined,
  row: number,
): Promise<{ readonly file: string; readonly line: number }> {
  let first = 0;
  for (const file of files) {
    const table = await openTable(context, await context.files.find(file), reader);
    try {
      let numRows = 0;
      for await (const batch of table.read([])) numRows += batch.numRows;
      if (row < first + numRows) return { file, line: await table.lineOf(row - first) };
      first += numRows;
    } finally {
      await table.close();
    }
  }
  return { file: files[0] ?? "", line: row + 1 };
}
