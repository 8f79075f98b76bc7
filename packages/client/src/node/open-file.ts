import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { basename } from "node:path";
import { Readable } from "node:stream";
import type { UploadFile } from "../upload/upload-file.ts";

const chunkBytes = 256 * 1024;

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

/**
 * A file of this machine with its SHA-256, for which it is read once more before it is sent: by that the service knows
 * an upload again that was broken off, and tells whether what has come is what was sent.
 */
export async function openFileWithDigest(path: string): Promise<UploadFile & { readonly sha256: string }> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path, { highWaterMark: 4 * chunkBytes })) hash.update(chunk as Buffer);
  return { ...(await openFile(path)), sha256: hash.digest("hex") };
}
