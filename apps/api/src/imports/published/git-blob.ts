import { createHash } from "node:crypto";
import { AppError } from "@hopwise/contracts";

/** A file whose content its publisher keeps in a git repository. */
export interface GitBlob {
  /** What the file is called here. */
  readonly name: string;
  readonly bytes: number;
  /** Object id that the repository records for it: 40 hexadecimal digits. */
  readonly id: string;
}

/**
 * Hands a file's pieces on and fails behind the last one unless they are the object that git knows by this id, which
 * is the SHA-1 of `blob`, the length and the content (Chacon and Straub, Pro Git, 2nd edition, section 10.2).
 *
 * @throws AppError IMPORT_CHECKSUM
 */
export async function* checkedAsGitBlob(
  pieces: AsyncIterable<Uint8Array>,
  { name, bytes, id }: GitBlob,
): AsyncGenerator<Uint8Array> {
  const hash = createHash("sha1").update(`blob ${bytes}\0`);
  for await (const piece of pieces) {
    hash.update(piece);
    yield piece;
  }
  const found = hash.digest("hex");
  if (found === id) return;
  throw new AppError(
    "IMPORT_CHECKSUM",
    `The file "${name}" is not the published one: git would call it ${found} (${bytes} bytes), and its publisher's repository has ${id}. Look at what lies at its address, or import it by that address.`,
    { place: { file: name } },
  );
}
