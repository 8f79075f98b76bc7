import { fileKindOf } from "../file-kind.ts";
import type { ReadingLimits } from "../limits/reading-limits.ts";
import type { Archive, ArchiveFile } from "./archive.ts";
import { openTar } from "./open-tar.ts";
import { openZip } from "./open-zip.ts";

/** Opens what `isArchive` knows for an archive. @throws GnnError what `openZip` and `openTar` throw */
export async function openArchive(file: ArchiveFile, limits: ReadingLimits, check?: () => void): Promise<Archive> {
  const { kind } = await fileKindOf(file.path);
  return kind === "zip" || kind === "npz" ? openZip(file, limits) : openTar(file, limits, check);
}
