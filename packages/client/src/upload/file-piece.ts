import type { UploadFile } from "./upload-file.ts";

/** Pieces of a stream are passed on in these, so that it can be told how much has been sent. */
const pieceBytes = 256 * 1024;

/** The bytes of a file from `start` to before `end`, as they are read. */
export async function* piecesOf(file: UploadFile, start: number, end: number): AsyncGenerator<Uint8Array, void, void> {
  const cut = file.slice?.(start, end);
  const part = cut ?? file;
  let skip = cut ? 0 : start;
  let left = end - start;
  for await (const chunk of part.stream()) {
    const wanted = chunk.subarray(skip, skip + left);
    skip = Math.max(0, skip - chunk.byteLength);
    for (let from = 0; from < wanted.byteLength; from += pieceBytes) yield wanted.subarray(from, from + pieceBytes);
    left -= wanted.byteLength;
    if (left === 0) return;
  }
  throw new FileUnreadable(file.name);
}

/** A file is not what it was when its sending began: it is shorter, changed or gone. */
export class FileUnreadable extends Error {
  override readonly name = "FileUnreadable";

  constructor(name: string, cause?: unknown) {
    super(`"${name}" has changed while it was sent; send it once it is finished.`, { cause });
  }
}
