import { fileKindOf } from "../file-kind.ts";
import type { UploadedFile } from "../uploaded-files.ts";

/**
 * Whether a file is an archive of files of its own, by its first bytes: zip, tar or what bzip2 has packed. A matrix of
 * scipy is an archive as well: whoever calls it `.zip` means its members. What cannot be looked into is what it is
 * called.
 */
export async function isArchive({ name, path }: UploadedFile): Promise<boolean> {
  const { kind } = await fileKindOf(path);
  if (kind === "packed") return /\.(tar\.(gz|zst)|tgz|tar)$/i.test(name);
  return (
    kind === "zip" || kind === "tar" || kind === "bzip2" || (kind === "npz" && name.toLowerCase().endsWith(".zip"))
  );
}
