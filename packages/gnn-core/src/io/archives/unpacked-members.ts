import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { GnnError } from "../../errors/gnn-error.ts";
import type { CopyContext } from "../encoding/as-utf8.ts";
import type { UploadedFile } from "../uploaded-files.ts";
import { openZip } from "./open-zip.ts";

/** Where members are unpacked to; `check` is called between pieces, and may throw to end the unpacking. */
export interface UnpackingContext extends CopyContext {
  readonly check: (file: string) => void;
}

/** A member is called by the archive's name and its path in there. A file that is uploaded has no `/` in its name. */
export function memberName(archive: string, member: string): string {
  return `${archive}/${member}`;
}

/**
 * The files in a zip archive, one after another; each lies in the scratch folder until the next one is asked for.
 *
 * @throws GnnError DATASET_FILE_EMPTY of an archive without files, and what `openZip` throws
 */
export async function* unpackedMembers(
  archive: UploadedFile,
  context: UnpackingContext,
): AsyncGenerator<UploadedFile, void, undefined> {
  const zip = await openZip(archive, context.limits);
  try {
    if (zip.members.length === 0) throw emptyArchive(archive.name);
    for (const { name: path, bytes, unpack } of zip.members) {
      const name = memberName(archive.name, path);
      const copy = join(context.scratchDir, `member-${randomUUID()}`);
      try {
        await unpack(copy, () => context.check(name));
        yield { name, bytes, path: copy };
      } finally {
        await rm(copy, { force: true });
      }
    }
  } finally {
    zip.close();
  }
}

/** How many files a zip archive holds, unpacking none. @throws GnnError what `openZip` throws */
export async function countMembers(archive: UploadedFile, limits: UnpackingContext["limits"]): Promise<number> {
  const zip = await openZip(archive, limits);
  zip.close();
  return zip.members.length;
}

/**
 * Unpacks one file of a zip archive into the scratch folder, where it stays until the step ends.
 *
 * @param wanted its name, as `memberName` gives it
 * @returns null: the archive has no such file
 * @throws GnnError what `openZip` throws
 */
export async function unpackMember(
  archive: UploadedFile,
  wanted: string,
  context: UnpackingContext,
): Promise<UploadedFile | null> {
  const zip = await openZip(archive, context.limits);
  try {
    const member = zip.members.find(({ name }) => memberName(archive.name, name) === wanted);
    if (!member) return null;
    const copy = join(context.scratchDir, `member-${randomUUID()}`);
    await member.unpack(copy, () => context.check(wanted));
    return { name: wanted, bytes: member.bytes, path: copy };
  } finally {
    zip.close();
  }
}

function emptyArchive(name: string): GnnError {
  const message = `${name} holds no files; upload the files themselves, or pack them again.`;
  return new GnnError("DATASET_FILE_EMPTY", message, { place: { file: name } });
}
