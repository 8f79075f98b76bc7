import { type FileHandle, open } from "node:fs/promises";
import { GnnError } from "../errors/gnn-error.ts";

const frameMagic = 0xfd2fb528;
const skippableMagic = 0x184d2a50;
const idBytes = [0, 1, 2, 4];
const sizeBytes = [0, 2, 4, 8];

/**
 * Walks the block headers of a zstd file (RFC 8878) without unpacking it: DuckDB reads a file that is cut off as if it
 * were complete, and Node 20 has no zstd to check it with.
 *
 * @throws GnnError DATASET_FORMAT_INVALID
 */
export async function assertZstdWhole(path: string, name: string): Promise<void> {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    let position = 0;
    while (position >= 0 && position < size) position = await endOfFrame(file, position);
    if (position === size) return;
  } finally {
    await file.close();
  }
  const message = `${name} cannot be unpacked: its zstd data are cut off or damaged. Upload it again.`;
  throw new GnnError("DATASET_FORMAT_INVALID", message, { place: { file: name } });
}

/** Position behind the frame that starts here; -1 when there is none. */
async function endOfFrame(file: FileHandle, start: number): Promise<number> {
  const { buffer: head, bytesRead } = await file.read(Buffer.alloc(8), 0, 8, start);
  if (bytesRead < 6) return -1;
  const magic = head.readUInt32LE(0);
  if ((magic & 0xfffffff0) >>> 0 === skippableMagic) return bytesRead < 8 ? -1 : start + 8 + head.readUInt32LE(4);
  if (magic !== frameMagic) return -1;
  const descriptor = head.readUInt8(4);
  const isSingleSegment = (descriptor & 0x20) !== 0;
  const contentSize = sizeBytes[descriptor >> 6]! || (isSingleSegment ? 1 : 0);
  const header = 5 + (isSingleSegment ? 0 : 1) + idBytes[descriptor & 3]! + contentSize;
  const checksum = (descriptor & 4) !== 0 ? 4 : 0;
  return endOfBlocks(file, start + header, checksum);
}

async function endOfBlocks(file: FileHandle, first: number, checksum: number): Promise<number> {
  const header = Buffer.alloc(3);
  for (let position = first; ; ) {
    const { bytesRead } = await file.read(header, 0, 3, position);
    if (bytesRead < 3) return -1;
    const bits = header.readUIntLE(0, 3);
    const type = (bits >> 1) & 3;
    if (type === 3) return -1;
    // A run-length block stores one byte however long its run is.
    position += 3 + (type === 1 ? 1 : bits >> 3);
    if ((bits & 1) !== 0) return position + checksum;
  }
}
