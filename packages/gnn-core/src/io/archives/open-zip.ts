import { createWriteStream } from "node:fs";
import { stat } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { crc32 } from "node:zlib";
import { type Entry, openPromise, type ZipFile } from "yauzl";
import { GnnError } from "../../errors/gnn-error.ts";
import { checkUnpacked, type ReadingLimits } from "../limits/reading-limits.ts";

/** A data set has some files; an archive may claim millions, and be walked for hours. */
const maxMembers = 256;
const maxNameLength = 240;
/** What operating systems add without being asked. */
const clutter = /(^|\/)(__MACOSX\/|\.|Thumbs\.db$|desktop\.ini$)/;

interface Archive {
  readonly name: string;
  readonly path: string;
}

export interface ZipMember {
  /** Its path in the archive, folders with `/` */
  readonly name: string;
  readonly bytes: number;
  /**
   * Its bytes, whose checksum is compared behind the last. What is wrong with them is thrown as an error of the
   * archive; a full disk's error goes on as it is.
   */
  readonly read: (check?: () => void) => AsyncIterable<Buffer>;
  /** Writes its bytes to a new file. `check` is called for each piece, and may throw. */
  readonly unpack: (path: string, check: () => void) => Promise<void>;
}

export interface ZipArchive {
  /** In the order of the archive's directory */
  readonly members: readonly ZipMember[];
  close(): void;
}

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
export async function openZip(archive: Archive, limits: ReadingLimits, most = maxMembers): Promise<ZipArchive> {
  const { size } = await stat(archive.path);
  const zip = await openPromise(archive.path, { autoClose: false }).catch((cause: unknown) => {
    throw damaged(archive.name, cause);
  });
  try {
    const entries = await filesIn(zip, archive.name, most);
    const unpacked = entries.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0);
    checkUnpacked(archive.name, size, unpacked, limits);
    return { members: entries.map((entry) => memberOf(zip, entry, archive.name)), close: () => zip.close() };
  } catch (error) {
    zip.close();
    throw error;
  }
}

async function filesIn(zip: ZipFile, archive: string, most: number): Promise<Entry[]> {
  const found = new Map<string, Entry>();
  if (zip.entryCount > most) throw invalid(archive, `it has ${zip.entryCount} members; at most ${most} are read`);
  try {
    for await (const entry of zip.eachEntry()) {
      const { fileName } = entry;
      if (fileName.endsWith("/") || clutter.test(fileName)) continue;
      if (fileName.length > maxNameLength || /\p{Cc}/u.test(fileName))
        throw invalid(
          archive,
          `a member is called ${JSON.stringify(fileName.slice(0, 100))}; expected up to ${maxNameLength} characters, none of them a control character`,
        );
      if (found.has(fileName)) throw invalid(archive, `it has two members called ${fileName}`);
      if (entry.isEncrypted()) throw invalid(archive, `${fileName} is encrypted; pack it without a password`);
      if (!entry.canDecodeFileData())
        throw invalid(
          archive,
          `${fileName} is packed by method ${entry.compressionMethod}; expected deflate, as most programs pack`,
        );
      found.set(fileName, entry);
    }
  } catch (error) {
    throw error instanceof GnnError ? error : damaged(archive, error);
  }
  return [...found.values()];
}

function memberOf(zip: ZipFile, entry: Entry, archive: string): ZipMember {
  const name = entry.fileName;
  return {
    name,
    bytes: entry.uncompressedSize,
    read: (check = () => {}) => bytesOf(zip, entry, archive, check),
    unpack: (path, check) =>
      pipeline(bytesOf(zip, entry, archive, check), createWriteStream(path, { flags: "wx", mode: 0o600 })),
  };
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
  if (sum !== entry.crc32) throw damaged(`${archive}/${entry.fileName}`, new Error("its checksum differs"));

  async function unlessDamaged<T>(reading: Promise<T>): Promise<T> {
    return reading.catch((error: unknown) => {
      throw error instanceof GnnError || isOfDisk(error) ? error : damaged(`${archive}/${entry.fileName}`, error);
    });
  }
}

/** A full disk is no fault of the archive. */
function isOfDisk(error: unknown): boolean {
  return error instanceof Error && "syscall" in error;
}

function invalid(archive: string, found: string): GnnError {
  const message = `${archive} cannot be unpacked: ${found}.`;
  return new GnnError("DATASET_FORMAT_INVALID", message, { place: { file: archive } });
}

function damaged(name: string, cause: unknown): GnnError {
  const found = cause instanceof Error ? ` (${cause.message})` : "";
  const message = `${name} cannot be unpacked: the zip archive is cut off or damaged${found}. Pack and upload it again.`;
  return new GnnError("DATASET_FORMAT_INVALID", message, { cause, place: { file: name } });
}
