import { fileKindOf } from "../file-kind.ts";
import type { UploadedFile } from "../uploaded-files.ts";

/**
 * Whether a file is a zip archive of files of its own, by its first bytes. A matrix of scipy is an archive as well:
 * whoever calls it `.zip` means its members.
 */
export async function isArchive({ name, path }: UploadedFile): Promise<boolean> {
  const { kind } = await fileKindOf(path);
  return kind === "zip" || (kind === "npz" && name.toLowerCase().endsWith(".zip"));
}
