import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";
import { Table as ArrowTable, DataType, type RecordBatch, type Schema, tableToIPC } from "apache-arrow";
import {
  Compression,
  EnabledStatistics,
  Table,
  transformParquetStream,
  type WriterProperties,
  WriterPropertiesBuilder,
} from "parquet-wasm";

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
  const iterator = batches[Symbol.asyncIterator]();
  const first = await iterator.next();
  if (first.done) throw new Error(`No batch of rows came for ${path}.`);
  async function* all() {
    for (let next: IteratorResult<RecordBatch> = first; !next.done; next = await iterator.next()) yield next.value;
  }
  const source = ReadableStream.from(toWasm(all()));
  const bytes = await transformParquetStream(source, propertiesFor(first.value.schema, rowGroupRows));
  await pipeline(Readable.fromWeb(bytes as unknown as NodeReadableStream<Uint8Array>), createWriteStream(path));
}

/**
 * A dictionary of values pays where they repeat, as words do; of vectors and ids it would be as long as the column, and
 * takes three quarters of the time of writing it. Extremes help to find a row, and not in lists.
 */
function propertiesFor({ fields }: Schema, rowGroupRows: number): WriterProperties {
  let properties = new WriterPropertiesBuilder()
    .setCompression(Compression.SNAPPY)
    .setMaxRowGroupSize(rowGroupRows)
    .setDictionaryEnabled(false)
    .setStatisticsEnabled(EnabledStatistics.None)
    .setCreatedBy("hopwise");
  for (const { name, type, nullable } of fields) {
    // Ids are never missing; what a task says of them may be.
    if (DataType.isUtf8(type) && nullable) properties = properties.setColumnDictionaryEnabled(name, true);
    if (!DataType.isFixedSizeList(type))
      properties = properties.setColumnStatisticsEnabled(name, EnabledStatistics.Chunk);
  }
  return properties.build();
}

/** Batches in parquet-wasm's own memory; the writer there frees them. */
async function* toWasm(batches: AsyncIterable<RecordBatch>) {
  for await (const batch of batches) {
    const table = Table.fromIPCStream(tableToIPC(new ArrowTable([batch]), "stream"));
    yield* table.recordBatches();
    table.free();
  }
}
