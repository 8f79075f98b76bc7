import { stat } from "node:fs/promises";
import { GnnError } from "../../errors/gnn-error.ts";
import { checkColumns, checkRows, checkUnpacked, type ReadingLimits } from "../limits/reading-limits.ts";
import { maxFooterBytes, readParquetFooter } from "./parquet-footer.ts";

/** Columns of a graph are flat; lists and structs are shown in the preview. DuckDB recurses into them. */
const maxSchemaDepth = 16;
const bytesPerValue = 8;

/**
 * Checks what a Parquet file says of itself before a reader believes it: a few bytes can be a schema that overflows the
 * stack, or hundreds of millions of rows.
 *
 * @returns false when it has no footer that can be read
 * @throws GnnError DATASET_LIMIT_EXCEEDED, DATASET_FORMAT_INVALID when its metadata are larger or deeper than is read
 */
export async function checkParquet(path: string, file: string, limits: ReadingLimits): Promise<boolean> {
  const footer = await readParquetFooter(path);
  if (!footer) return false;
  if ("length" in footer)
    throw tooMuch(file, `its footer has ${footer.length} bytes; at most ${maxFooterBytes} are read`);
  const { depth, numLeaves, numRows, numValues, pageBytes } = footer;
  if (depth > maxSchemaDepth) {
    throw tooMuch(file, `its columns are nested ${depth} levels deep; at most ${maxSchemaDepth} are read`);
  }
  checkColumns(file, numLeaves, limits);
  checkRows(file, numRows, limits);
  const { size } = await stat(path);
  checkUnpacked(file, size, Math.max(numValues * bytesPerValue, numRows * bytesPerValue, pageBytes), limits);
  return true;
}

function tooMuch(file: string, found: string): GnnError {
  const message = `${file}: ${found}. Write it again with flat columns and larger row groups.`;
  return new GnnError("DATASET_FORMAT_INVALID", message, { place: { file } });
}
