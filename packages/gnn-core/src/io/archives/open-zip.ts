import { stat } from "node:fs/promises";
import { crc32 } from "node:zlib";
import { type Entry, openPromise, type ZipFile } from "yauzl";
import { GnnError } from "../../errors/gnn-error.ts";
import { checkUnpacked, type ReadingLimits } from "../limits/reading-limits.ts";
import {
  type Archive,
  type ArchiveFile,
  checkMemberName,
  damagedArchive,
  invalidArchive,
  isClutter,
  isOfDisk,
  maxMembers,
  memberOf,
} from "./archive.ts";

/**
 * Opens a zip archive that somebody has uploaded. Nothing is unpacked; the directory says what there is, and what it
 * unpacks to in all is held against the limits. A member that turns out longer or shorter than it says, or whose
 * checksum differs, is refused when it is unpacked.
 *
 * Format: PKWARE's APPNOTE.TXT, by the library yauzl; deflated and stored members, zip64 too.
 *
 * @param most members it may have
 * @throws GnnError DATASET_FORMAT_INVALID of a damaged or encrypted archive, of names that lead out of it or occur
 * twice, and of more members; DATASET_LIMIT_EXCEEDED
 */
export async function openZip(archive: ArchiveFile, limits: ReadingLimits, most = maxMembers): Promise<Archive> {
  const { size } = await stat(archive.path);
  const zip = await openPromise(archive.path, { autoClose: false }).catch((cause: unknown) => {
    throw damagedArchive(archive.name, "zip", cause);
  });
  try {
    const entries = await filesIn(zip, archive.name, most);
    const unpacked = entries.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0);
    checkUnpacked(archive.name, size, unpacked, limits);
    const members = entries.map((entry) =>
      memberOf(entry.fileName, entry.uncompressedSize, (check) => bytesOf(zip, entry, archive.name, check)),
    );
    return { members, close: () => zip.close() };
  } catch (error) {
    zip.close();
    throw error;
  }
}

async function filesIn(zip: ZipFile, archive: string, most: number): Promise<Entry[]> {
  const found = new Map<string, Entry>();
  if (zip.entryCount > most)
    throw invalidArchive(archive, `it has ${zip.entryCount} members; at most ${most} are read`);
  try {
    for await (const entry of zip.eachEntry()) {
      const { fileName } = entry;
      if (fileName.endsWith("/") || isClutter(fileName)) continue;
      checkMemberName(archive, fileName, found);
      if (entry.isEncrypted()) throw invalidArchive(archive, `${fileName} is encrypted; pack it without a password`);
      if (!entry.canDecodeFileData())
        throw invalidArchive(
          archive,
          `${fileName} is packed by method ${entry.compressionMethod}; expected deflate, as most programs pack`,
        );
      found.set(fileName, entry);
    }
  } catch (error) {
    throw error instanceof GnnError ? error : damagedArchive(archive, "zip", error);
  }
  return [...found.values()];
}

async function* bytesOf(zip: ZipFile, entry: Entry, archive: string, check: () => void): AsyncIterable<Buffer> {
  let sum = 0;
  const pieces = (await unlessDamaged(zip.openReadStreamPromise(entry)))[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value } = await unlessDamaged(pieces.next());
      if (done) break;
      check();
      sum = crc32(value, sum);
      yield value;
    }
  } finally {
    await pieces.return?.();
  }
  if (sum !== entry.crc32)
    throw damagedArchive(`${archive}/${entry.fileName}`, "zip", new Error("its checksum differs"));

  async function unlessDamaged<T>(reading: Promise<T>): Promise<T> {
    return reading.catch((error: unknown) => {
      throw error instanceof GnnError || isOfDisk(error)
        ? error
        : damagedArchive(`${archive}/${entry.fileName}`, "zip", error);
    });
  }
}
