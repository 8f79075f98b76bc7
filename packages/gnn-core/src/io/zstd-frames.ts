import { type FileHandle, open } from "node:fs/promises";
import { GnnError } from "../errors/gnn-error.ts";

const frameMagic = 0xfd2fb528;
const skippableMagic = 0x184d2a50;
const idBytes = [0, 1, 2, 4];
const sizeBytes = [0, 2, 4, 8];
/** A block unpacks to no more than this. */
const blockBytes = 128 * 1024;

interface Walked {
  /** Behind what was walked; -1: it is damaged */
  readonly end: number;
  /** To which it unpacks at most */
  readonly unpacked: number;
}

/**
 * Walks the block headers of a zstd file (RFC 8878) without unpacking it: DuckDB reads a file that is cut off as if it
 * were complete, and Node 20 has no zstd to check it with.
 *
 * @param check what has been walked so far unpacks to at most that; it throws when that is too much
 * @throws GnnError DATASET_FORMAT_INVALID
 */
export async function assertZstdWhole(path: string, name: string, check: (unpacked: number) => void): Promise<void> {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    let position = 0;
    let unpacked = 0;
    while (position >= 0 && position < size) {
      const before = unpacked;
      const frame = await walkFrame(file, position, (more) => check(before + more));
      position = frame.end;
      unpacked += frame.unpacked;
    }
    if (position === size) return;
  } finally {
    await file.close();
  }
  const message = `${name} cannot be unpacked: its zstd data are cut off or damaged. Upload it again.`;
  throw new GnnError("DATASET_FORMAT_INVALID", message, { place: { file: name } });
}

/** The frame that starts here. Where it states its size that counts, else what its blocks come to at most. */
async function walkFrame(file: FileHandle, start: number, check: (unpacked: number) => void): Promise<Walked> {
  const { buffer: head, bytesRead } = await file.read(Buffer.alloc(18), 0, 18, start);
  if (bytesRead < 6) return damaged;
  const magic = head.readUInt32LE(0);
  if ((magic & 0xfffffff0) >>> 0 === skippableMagic) {
    return bytesRead < 8 ? damaged : { end: start + 8 + head.readUInt32LE(4), unpacked: 0 };
  }
  if (magic !== frameMagic) return damaged;
  const descriptor = head.readUInt8(4);
  const isSingleSegment = (descriptor & 0x20) !== 0;
  const sizeLength = sizeBytes[descriptor >> 6]! || (isSingleSegment ? 1 : 0);
  const sizeAt = 5 + (isSingleSegment ? 0 : 1) + idBytes[descriptor & 3]!;
  const checksum = (descriptor & 4) !== 0 ? 4 : 0;
  const blocks = start + sizeAt + sizeLength;
  if (sizeLength === 0 || bytesRead < sizeAt + sizeLength) return walkBlocks(file, blocks, checksum, check);
  const unpacked = statedSize(head, sizeAt, sizeLength);
  check(unpacked);
  const { end } = await walkBlocks(file, blocks, checksum, () => undefined);
  return { end, unpacked };
}

const damaged: Walked = { end: -1, unpacked: 0 };

function statedSize(head: Buffer, at: number, length: number): number {
  if (length === 8) return Number(head.readBigUInt64LE(at));
  return head.readUIntLE(at, length) + (length === 2 ? 256 : 0);
}

async function walkBlocks(
  file: FileHandle,
  first: number,
  checksum: number,
  check: (unpacked: number) => void,
): Promise<Walked> {
  const header = Buffer.alloc(3);
  let unpacked = 0;
  for (let position = first; ; ) {
    const { bytesRead } = await file.read(header, 0, 3, position);
    if (bytesRead < 3) return damaged;
    const bits = header.readUIntLE(0, 3);
    const type = (bits >> 1) & 3;
    if (type === 3) return damaged;
    // Raw and run-length blocks state what they unpack to; the latter store one byte however long their run is.
    unpacked += type === 2 ? blockBytes : bits >> 3;
    check(unpacked);
    position += 3 + (type === 1 ? 1 : bits >> 3);
    if ((bits & 1) !== 0) return { end: position + checksum, unpacked };
  }
}
