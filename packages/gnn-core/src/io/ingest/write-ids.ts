import { join } from "node:path";
import { int64Words, setInt64 } from "../int64.ts";
import { NpyWriter, type WrittenArray } from "../npy.ts";

const batchSize = 65_536;

/** The original ids in NodeIndex order. */
export interface IdList {
  readonly size: number;
  /** Whether every one is a canonical decimal */
  readonly isInt64: boolean;
  ids(): Iterable<string>;
}

/** Where ids lie: as numbers, or as texts with the byte at which each begins. */
export interface IdFiles {
  readonly numbers: string;
  readonly offsets: string;
  readonly bytes: string;
}

/** Those of a graph's nodes. */
export const nodeIdFiles: IdFiles = {
  numbers: "nodes/ids.npy",
  offsets: "nodes/ids/offsets.npy",
  bytes: "nodes/ids/bytes.npy",
};

/**
 * Writes the original ids in NodeIndex order: `nodes/ids.npy` int64 when every one is canonical decimal, else
 * `nodes/ids/offsets.npy` and `nodes/ids/bytes.npy` (UTF-8).
 *
 * @param files in place of these
 */
export async function writeIds(outDir: string, ids: IdList, files = nodeIdFiles): Promise<WrittenArray[]> {
  return ids.isInt64 ? writeInt64Ids(outDir, ids, files) : writeStringIds(outDir, ids, files);
}

async function writeInt64Ids(outDir: string, ids: IdList, { numbers: name }: IdFiles): Promise<WrittenArray[]> {
  const writer = await NpyWriter.open(join(outDir, name), "int64", []);
  const batch = new BigInt64Array(batchSize);
  const words = int64Words(batch);
  let filled = 0;
  for (const id of ids.ids()) {
    if (id.length < 16) setInt64(words, filled++, Number(id));
    else batch[filled++] = BigInt(id);
    if (filled < batchSize) continue;
    await writer.append(batch);
    filled = 0;
  }
  await writer.append(batch.subarray(0, filled));
  return [{ name, dtype: "int64", shape: await writer.close() }];
}

async function writeStringIds(outDir: string, ids: IdList, names: IdFiles): Promise<WrittenArray[]> {
  const offsets = await NpyWriter.open(join(outDir, names.offsets), "int64", []);
  const bytes = await NpyWriter.open(join(outDir, names.bytes), "uint8", []);
  await offsets.append(new BigInt64Array(1));
  let end = 0;
  for (const batch of batchesOf(ids.ids(), batchSize)) {
    const encoded = batch.map((id) => Buffer.from(id, "utf8"));
    const ends = new BigInt64Array(batch.length);
    const words = int64Words(ends);
    encoded.forEach((id, i) => {
      end += id.length;
      setInt64(words, i, end);
    });
    await bytes.append(new Uint8Array(Buffer.concat(encoded)));
    await offsets.append(ends);
  }
  return [
    { name: names.bytes, dtype: "uint8", shape: await bytes.close() },
    { name: names.offsets, dtype: "int64", shape: await offsets.close() },
  ];
}

function* batchesOf<T>(values: Iterable<T>, size: number): Iterable<T[]> {
  let batch: T[] = [];
  for (const value of values) {
    batch.push(value);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
