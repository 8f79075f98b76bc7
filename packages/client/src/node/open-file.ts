import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, stat } from "node:fs/promises";
import { basename } from "node:path";
import { Readable } from "node:stream";
import type { OnProgress, UploadFile } from "../upload/upload-file.ts";

const chunkBytes = 256 * 1024;
/** Read between two reports, some ten a second */
const toldBytes = 64 * 1024 ** 2;

/** A file of this machine, to be uploaded under its own name; it is read as it is sent. */
export async function openFile(path: string): Promise<UploadFile> {
  const { size } = await stat(path);
  // Left to itself, Node counts chunks where it means bytes, and reads the whole file ahead of a slow connection.
  const strategy = new ByteLengthQueuingStrategy({ highWaterMark: chunkBytes });
  const read = (start: number, end?: number) => {
    const file = createReadStream(path, {
      highWaterMark: chunkBytes,
      start,
      ...(end !== undefined && { end: end - 1 }),
    });
    return Readable.toWeb(file, { strategy }) as ReadableStream<Uint8Array>;
  };
  return {
    name: basename(path),
    size,
    stream: () => read(0),
    slice: (start, end) => ({ stream: () => read(start, end) }),
  };
}

/** How a file is read before it is sent. */
export interface Reading {
  readonly onProgress?: OnProgress | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * A file of this machine with its SHA-256, for which it is read once more before it is sent: by that the service knows
 * an upload again that was broken off, and tells whether what has come is what was sent.
 *
 * @throws the reason of the signal, and what the system says of a file that cannot be read
 */
export async function openFileWithDigest(
  path: string,
  { onProgress, signal }: Reading = {},
): Promise<UploadFile & { readonly sha256: string }> {
  const opened = await openFile(path);
  const hash = createHash("sha256");
  const file = await open(path);
  try {
    // Read into one buffer: with one for each piece most of the time goes into making and collecting them.
    const buffer = Buffer.allocUnsafe(4 * chunkBytes);
    for (let done = 0, told = 0; ; ) {
      signal?.throwIfAborted();
      const { bytesRead } = await file.read(buffer, 0, buffer.length, null);
      if (bytesRead === 0) break;
      hash.update(buffer.subarray(0, bytesRead));
      done += bytesRead;
      if (done < told + toldBytes) continue;
      told = done;
      onProgress?.(done, opened.size);
    }
  } finally {
    await file.close();
  }
  return { ...opened, sha256: hash.digest("hex") };
}
