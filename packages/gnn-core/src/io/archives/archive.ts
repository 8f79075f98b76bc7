import { createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { GnnError } from "../../errors/gnn-error.ts";

/** A data set has some files; an archive may claim millions, and be walked for hours. */
export const maxMembers = 256;
const maxNameLength = 240;
/** What operating systems add without being asked. */
const clutter = /(^|\/)(__MACOSX\/|\.|Thumbs\.db$|desktop\.ini$)/;

/** An archive as it lies here, and what its owner calls it. */
export interface ArchiveFile {
  readonly name: string;
  readonly path: string;
}

export interface ArchiveMember {
  /** Its path in the archive, folders with `/` */
  readonly name: string;
  readonly bytes: number;
  /**
   * Its bytes, whose checksum, where there is one, is compared behind the last. What is wrong with them is thrown as an
   * error of the archive; a full disk's error goes on as it is.
   */
  readonly read: (check?: () => void) => AsyncIterable<Buffer>;
  /** Writes its bytes to a new file. `check` is called for each piece, and may throw. */
  readonly unpack: (path: string, check: () => void) => Promise<void>;
}

export interface Archive {
  /** In the order of the archive */
  readonly members: readonly ArchiveMember[];
  close(): void;
}

/** A member by how its bytes are read. */
export function memberOf(name: string, bytes: number, read: (check: () => void) => AsyncIterable<Buffer>) {
  return {
    name,
    bytes,
    read: (check = () => {}) => read(check),
    unpack: (path: string, check: () => void) =>
      pipeline(read(check), createWriteStream(path, { flags: "wx", mode: 0o600 })),
  };
}

export function isClutter(name: string): boolean {
  return clutter.test(name);
}

/** @throws GnnError DATASET_FORMAT_INVALID of a name that is too long, holds control characters or is there twice */
export function checkMemberName(archive: string, name: string, others: { has(name: string): boolean }): void {
  if (name.length > maxNameLength || /\p{Cc}/u.test(name))
    throw invalidArchive(
      archive,
      `a member is called ${JSON.stringify(name.slice(0, 100))}; expected up to ${maxNameLength} characters, none of them a control character`,
    );
  if (others.has(name)) throw invalidArchive(archive, `it has two members called ${name}`);
}

export function invalidArchive(archive: string, found: string): GnnError {
  const message = `${archive} cannot be unpacked: ${found}.`;
  return new GnnError("DATASET_FORMAT_INVALID", message, { place: { file: archive } });
}

export function damagedArchive(name: string, kind: "zip" | "tar", cause: unknown): GnnError {
  const found = cause instanceof Error ? ` (${cause.message})` : "";
  const message = `${name} cannot be unpacked: the ${kind} archive is cut off or damaged${found}. Pack and upload it again.`;
  return new GnnError("DATASET_FORMAT_INVALID", message, { cause, place: { file: name } });
}

/** A full disk is no fault of the archive. */
export function isOfDisk(error: unknown): boolean {
  return error instanceof Error && "syscall" in error;
}
