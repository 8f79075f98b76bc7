import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type RecordBatch, RecordBatchFileWriter } from "apache-arrow";

/** Writes Arrow batches as an IPC file ("Feather 2"), one batch in memory at a time. */
export async function writeArrow(path: string, batches: AsyncIterable<RecordBatch>): Promise<void> {
  const writer = RecordBatchFileWriter.throughNode();
  await pipeline(Readable.from(batches, { highWaterMark: 1 }), writer, createWriteStream(path));
}
