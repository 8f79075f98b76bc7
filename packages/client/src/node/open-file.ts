import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { basename } from "node:path";
import { Readable } from "node:stream";
import type { UploadFile } from "../upload/upload-file.ts";

const chunkBytes = 256 * 1024;

/** A file of this machine, to be uploaded under its own name; it is read as it is sent. */
export async function openFile(path: string): Promise<UploadFile> {
  const { size } = await stat(path);
  return {
    name: basename(path),
    size,
    stream: () => Readable.toWeb(createReadStream(path, { highWaterMark: chunkBytes })) as ReadableStream<Uint8Array>,
  };
}
