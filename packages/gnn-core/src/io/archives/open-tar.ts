import { stat } from "node:fs/promises";
import { GnnError } from "../../errors/gnn-error.ts";
import { checkUnpacked, type ReadingLimits } from "../limits/reading-limits.ts";
import { compressionOf, firstBytes } from "../text-file.ts";
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
import { openTarBytes, type TarBytes, type TarPacking } from "./tar-bytes.ts";
import { type TarEntry, tarEntries } from "./tar-entries.ts";
import { tarBlock, tarHeader } from "./tar-header.ts";

const pieceBytes = 1 << 20;

/** Where the files lie in an archive, and what it comes to. */
interface Listing {
  readonly files: readonly TarEntry[];
  readonly unpacked: number;
}

/** Those of the archives that were walked through last: a packed one is unpacked for that. */
const listings = new Map<string, Listing>();
const mostListings = 16;

/**
 * Opens a tar archive that somebody has uploaded, plain or packed with gzip or bzip2. It is walked through once, from
 * header to header, and held against the limits on the way; nothing is unpacked to the disk. A single file that is
 * packed with bzip2 is taken for an archive of that file.
 *
 * Format: POSIX.1-2001 (pax), ustar, GNU's long names, version 7.
 *
 * @param check is called on the way, and may throw
 * @throws GnnError DATASET_FORMAT_INVALID of a damaged archive, of links, devices and files with holes, of names that
 * lead out of it or occur twice, and of more members; DATASET_LIMIT_EXCEEDED
 */
export async function openTar(archive: ArchiveFile, limits: ReadingLimits, check = () => {}): Promise<Archive> {
  const { size, mtimeMs } = await stat(archive.path);
  const packing = await packingOf(archive);
  const onBlock = (unpacked: number) => {
    check();
    checkUnpacked(archive.name, size, unpacked, limits);
  };
  const bytes = await openTarBytes(archive.path, packing, onBlock);
  try {
    const key = `${archive.path}:${size}:${mtimeMs}`;
    const { files, unpacked } = listings.get(key) ?? (await listingIn(bytes, archive.name, packing, onBlock));
    checkUnpacked(archive.name, size, unpacked, limits);
    remember(key, { files, unpacked });
    const members = files.map((file) =>
      memberOf(file.name, file.bytes, (checkPiece) => bytesOf(bytes, file, archive.name, checkPiece)),
    );
    return { members, close: () => void bytes.close() };
  } catch (error) {
    await bytes.close();
    throw error instanceof GnnError || isOfDisk(error) ? error : damagedArchive(archive.name, "tar", error);
  }
}

async function packingOf({ path, name }: ArchiveFile): Promise<TarPacking> {
  if ((await firstBytes(path, "none", 3)).toString("latin1") === "BZh") return "bzip2";
  const compression = await compressionOf(path);
  if (compression !== "zstd") return compression;
  throw invalidArchive(name, "it is packed with zstd. Pack it with gzip: zstd -dc g.tar.zst | gzip > g.tar.gz");
}

async function listingIn(
  bytes: TarBytes,
  archive: string,
  packing: TarPacking,
  onBlock: (unpacked: number) => void,
): Promise<Listing> {
  const isOne = packing === "bzip2" && tarHeader(await bytes.at(0, tarBlock)) === null;
  return isOne
    ? listingOfOne(bytes, archive.replace(/^.*\//, "").replace(/\.bz2$/i, ""), onBlock)
    : listingOf(bytes, archive, onBlock);
}

async function listingOfOne(bytes: TarBytes, name: string, onBlock: (unpacked: number) => void): Promise<Listing> {
  for (let unpacked = 0; ; ) {
    const piece = await bytes.at(unpacked, pieceBytes);
    unpacked += piece.length;
    onBlock(unpacked);
    if (piece.length < pieceBytes)
      return { files: [{ name, kind: "file", position: 0, bytes: unpacked, problem: null }], unpacked };
  }
}

function remember(key: string, listing: Listing): void {
  listings.delete(key);
  listings.set(key, listing);
  const [oldest] = listings.keys();
  if (listings.size > mostListings && oldest !== undefined) listings.delete(oldest);
}

async function listingOf(bytes: TarBytes, archive: string, onBlock: (unpacked: number) => void): Promise<Listing> {
  const files = new Map<string, TarEntry>();
  let numMembers = 0;
  let unpacked = 0;
  const onPosition = (position: number) => {
    unpacked = position;
    onBlock(position);
  };
  for await (const entry of tarEntries(bytes, archive, onPosition)) {
    if (++numMembers > maxMembers)
      throw invalidArchive(archive, `it has more than ${maxMembers} members; at most ${maxMembers} are read`);
    if (entry.kind === "folder") continue;
    if (entry.name.startsWith("/")) throw invalidArchive(archive, `absolute path: ${entry.name}`);
    if (entry.name === "" || entry.name.split("/").includes(".."))
      throw invalidArchive(archive, `invalid relative path: ${entry.name}`);
    if (isClutter(entry.name)) continue;
    checkMemberName(archive, entry.name, files);
    if (entry.problem !== null) throw invalidArchive(archive, entry.problem);
    files.set(entry.name, entry);
  }
  return { files: [...files.values()], unpacked };
}

async function* bytesOf(
  bytes: TarBytes,
  { name, position, bytes: size }: TarEntry,
  archive: string,
  check: () => void,
): AsyncIterable<Buffer> {
  for (let done = 0; done < size; ) {
    const piece = await bytes.at(position + done, Math.min(pieceBytes, size - done)).catch((error: unknown) => {
      throw error instanceof GnnError || isOfDisk(error) ? error : damagedArchive(`${archive}/${name}`, "tar", error);
    });
    check();
    if (piece.length === 0) throw damagedArchive(`${archive}/${name}`, "tar", new Error("it ends within the file"));
    done += piece.length;
    yield piece;
  }
}
