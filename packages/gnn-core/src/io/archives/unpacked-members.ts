import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { GnnError } from "../../errors/gnn-error.ts";
import type { CopyContext } from "../encoding/as-utf8.ts";
import type { UploadedFile } from "../uploaded-files.ts";
import { openArchive } from "./open-archive.ts";

/** Where members are unpacked to; `check` is called between pieces, and may throw to end the unpacking. */
export interface UnpackingContext extends CopyContext {
  readonly check: (file: string) => void;
}

/** A member is called by the archive's name and its path in there. A file that is uploaded has no `/` in its name. */
export function memberName(archive: string, member: string): string {
  return `${archive}/${member}`;
}

/**
 * The files in an archive, one after another; each lies in the scratch folder until the next one is asked for.
 *
 * @throws GnnError DATASET_FILE_EMPTY of an archive without files, and what `openArchive` throws
 */
export async function* unpackedMembers(
  archive: UploadedFile,
  context: UnpackingContext,
): AsyncGenerator<UploadedFile, void, undefined> {
  const opened = await openArchive(archive, context.limits, () => context.check(archive.name));
  try {
    if (opened.members.length === 0) throw emptyArchive(archive.name);
    for (const { name: path, bytes, unpack } of opened.members) {
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
    opened.close();
  }
}

/** How many files an archive holds, unpacking none. @throws GnnError what `openArchive` throws */
export async function countMembers(archive: UploadedFile, context: UnpackingContext): Promise<number> {
  const opened = await openArchive(archive, context.limits, () => context.check(archive.name));
  opened.close();
  return opened.members.length;
}

/**
 * Unpacks one file of an archive into the scratch folder, where it stays until the step ends.
 *
 * @param wanted its name, as `memberName` gives it
 * @returns null: the archive has no such file
 * @throws GnnError what `openArchive` throws
 */
export async function unpackMember(
  archive: UploadedFile,
  wanted: string,
  context: UnpackingContext,
): Promise<UploadedFile | null> {
  const opened = await openArchive(archive, context.limits, () => context.check(archive.name));
  try {
    const member = opened.members.find(({ name }) => memberName(archive.name, name) === wanted);
    if (!member) return null;
    const copy = join(context.scratchDir, `member-${randomUUID()}`);
    await member.unpack(copy, () => context.check(wanted));
    return { name: wanted, bytes: member.bytes, path: copy };
  } finally {
    opened.close();
  }
}

function emptyArchive(name: string): GnnError {
  const message = `${name} holds no files; upload the files themselves, or pack them again.`;
  return new GnnError("DATASET_FILE_EMPTY", message, { place: { file: name } });
}
