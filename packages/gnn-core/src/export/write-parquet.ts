import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";
import { Table as ArrowTable, type RecordBatch, tableToIPC } from "apache-arrow";
import { Compression, Table, transformParquetStream, WriterPropertiesBuilder } from "parquet-wasm";

/**
 * Writes Arrow batches as a Parquet file, one row group at a time: no more than `rowGroupRows` rows are held.
 *
 * @param batches at least one, all of one schema
 */
export async function writeParquet(
  path: string,
  batches: AsyncIterable<RecordBatch>,
  rowGroupRows: number,
): Promise<void> {
  const properties = new WriterPropertiesBuilder()
    .setCompression(Compression.SNAPPY)
    .setMaxRowGroupSize(rowGroupRows)
    .setCreatedBy("hopwise")
    .build();
  const source = ReadableStream.from(toWasm(batches));
  const bytes = await transformParquetStream(source, properties);
  await pipeline(Readable.fromWeb(bytes as unknown as NodeReadableStream<Uint8Array>), createWriteStream(path));
}

/** Batches in parquet-wasm's own memory; the writer there frees them. */
async function* toWasm(batches: AsyncIterable<RecordBatch>) {
  for await (const batch of batches) {
    const table = Table.fromIPCStream(tableToIPC(new ArrowTable([batch]), "stream"));
    yield* table.recordBatches();
    table.free();
  }
}
