import { createReadStream } from "node:fs";
import { open, stat } from "node:fs/promises";

const longestChunk = 1 << 20;

/**
 * A file's bytes in chunks of up to 1 MiB. Buffers are no larger than the file: V8 counts them as memory outside its
 * heap, of which each 64 MiB force a full collection, and most blobs are small.
 */
export async function* fileChunks(path: string): AsyncGenerator<Uint8Array> {
  const { size } = await stat(path);
  yield* createReadStream(path, { highWaterMark: Math.min(size + 1, longestChunk) });
}

/** Reads a file's chunks through one buffer: a chunk is gone when the next one is asked for. */
export async function* passingChunks(path: string): AsyncGenerator<Uint8Array> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const buffer = Buffer.allocUnsafe(Math.min(size + 1, longestChunk));
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, buffer.length, null);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}
