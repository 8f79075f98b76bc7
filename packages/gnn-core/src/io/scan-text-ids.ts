import { loadAddon } from "../backends/native/addon.ts";
import type { ScanOptions } from "../backends/native/ingest-addon.ts";
import { nativeSync } from "../backends/native/native-error.ts";
import { chunksWithEnd } from "./scan-chunks.ts";
import type { TextIdBatch } from "./table-source.ts";

/**
 * Reads delimited text as `TableSource.readTextIds` does, natively and without a string per value.
 *
 * @param bytes the file, unpacked
 */
export async function* scanTextIds(
  bytes: AsyncIterable<Uint8Array>,
  options: ScanOptions,
): AsyncGenerator<TextIdBatch, boolean, undefined> {
  const scanner = nativeSync(() => loadAddon().createTextScanner(options));
  for await (const { chunk, isLast } of chunksWithEnd(bytes)) {
    const { stopped, ...batch } = nativeSync(() => loadAddon().scanTexts(scanner, chunk, isLast));
    if (batch.numRows > 0) yield batch;
    if (stopped) return false;
  }
  return true;
}
