import { loadAddon } from "../backends/native/addon.ts";
import type { ScanOptions } from "../backends/native/ingest-addon.ts";
import { nativeSync } from "../backends/native/native-error.ts";
import { chunksWithEnd } from "./scan-chunks.ts";
import type { IntegerBatch } from "./table-source.ts";

/**
 * Reads delimited text as `TableSource.readIntegers` does, natively and without a string per value.
 *
 * @param bytes the file, unpacked
 */
export async function* scanIntegerText(
  bytes: AsyncIterable<Uint8Array>,
  options: ScanOptions,
): AsyncGenerator<IntegerBatch, boolean, undefined> {
  const scanner = nativeSync(() => loadAddon().createIntegerScanner(options));
  for await (const { chunk, isLast } of chunksWithEnd(bytes)) {
    const { stopped, ...batch } = nativeSync(() => loadAddon().scanIntegers(scanner, chunk, isLast));
    if (batch.numRows > 0) yield batch;
    if (stopped) return false;
  }
  return true;
}
