import { createReadStream } from "node:fs";
import { open, stat } from "node:fs/promises";
import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { GnnError } from "../errors/gnn-error.ts";
import { damagedLine, lineFeedsIn } from "./encoding/damaged-line.ts";
import { checkUnpacked, type ReadingLimits } from "./limits/reading-limits.ts";
import { assertZstdWhole } from "./zstd-frames.ts";

export type Compression = "none" | "gzip" | "zstd";

const headBytes = 256 * 1024;

/** What a file is compressed with, by its first bytes: names can be wrong. */
export async function compressionOf(path: string): Promise<Compression> {
  const file = await open(path, "r");
  try {
    const { buffer } = await file.read(Buffer.alloc(4), 0, 4, 0);
    if (buffer[0] === 0x1f && buffer[1] === 0x8b) return "gzip";
    return buffer.readUInt32LE() === 0xfd2fb528 ? "zstd" : "none";
  } finally {
    await file.close();
  }
}

/** The bytes of a plain or gzipped file, unpacked. */
export function unpackedBytes(path: string, compression: "none" | "gzip", atOnce = 1 << 20): AsyncIterable<Uint8Array> {
  const bytes = createReadStream(path, { highWaterMark: atOnce });
  if (compression === "none") return bytes;
  const unpacked = createGunzip({ chunkSize: 1 << 18 });
  bytes.on("error", (error) => unpacked.destroy(error));
  // Whoever needs only the beginning leaves the file open otherwise.
  unpacked.on("close", () => bytes.destroy());
  return bytes.pipe(unpacked);
}

/** The first bytes of a plain or gzipped file, unpacked. */
export async function firstBytes(path: string, compression: "none" | "gzip", size: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let found = 0;
  for await (const chunk of unpackedBytes(path, compression, size)) {
    chunks.push(chunk);
    found += chunk.byteLength;
    if (found >= size) break;
  }
  return Buffer.concat(chunks).subarray(0, size);
}

/** The bytes after the first lines, each of which ends with a line feed, a carriage return or both. */
export async function* withoutLines(bytes: AsyncIterable<Uint8Array>, numLines: number): AsyncIterable<Uint8Array> {
  const newline = 0x0a;
  const carriageReturn = 0x0d;
  let left = numLines;
  let mayEndTwice = false;
  for await (const chunk of bytes) {
    let at: number = mayEndTwice && chunk[0] === newline ? 1 : 0;
    mayEndTwice = false;
    while (left > 0 && at < chunk.length) {
      const byte: number | undefined = chunk[at++];
      if (byte !== newline && byte !== carriageReturn) continue;
      left--;
      if (byte === newline) continue;
      if (chunk[at] === newline) at++;
      else mayEndTwice = at === chunk.length;
    }
    if (at < chunk.length) yield chunk.subarray(at);
  }
}

/**
 * The beginning of a plain or gzipped text file.
 *
 * @throws GnnError DATASET_FORMAT_INVALID when it is not UTF-8 text
 */
export async function readHead(
  path: string,
  compression: "none" | "gzip",
  name: string,
): Promise<{ text: string; isWhole: boolean }> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of Readable.from(unpackedBytes(path, compression))) {
    chunks.push(chunk);
    size += chunk.byteLength;
    if (size > headBytes) break;
  }
  const head = Buffer.concat(chunks).subarray(0, headBytes);
  return { text: decodeText(head, name), isWhole: size <= headBytes };
}

/** @throws GnnError DATASET_FORMAT_INVALID when the bytes are not UTF-8 text (a cut last character is allowed) */
export function decodeText(bytes: Uint8Array, name: string): string {
  const zero = bytes.indexOf(0);
  if (zero >= 0) throw notText(name, "it contains zero bytes", lineFeedsIn(bytes.subarray(0, zero)) + 1);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
  } catch {
    throw notText(name, "its bytes are not UTF-8", damagedLine(bytes));
  }
}

/**
 * The beginning of a plain or gzipped text file whose first line ends in it.
 *
 * @throws GnnError DATASET_FORMAT_INVALID
 */
export async function assertLines(path: string, compression: "none" | "gzip", name: string): Promise<void> {
  const { text, isWhole } = await readHead(path, compression, name);
  if (isWhole || /[\r\n]/.test(text)) return;
  const message = `${name}: the first line does not end within 256 KiB; expected one edge a line.`;
  throw new GnnError("DATASET_FORMAT_INVALID", message, { place: { file: name, line: 1 } });
}

function notText(name: string, found: string, line: number): GnnError {
  const message = `${name} is not a text file: ${found}, first on line ${line}. Expected UTF-8 text; choose its encoding, such as windows-1252, or another reader, or convert the file.`;
  return new GnnError("DATASET_FORMAT_INVALID", message, { place: { file: name, line } });
}

/** @throws GnnError DATASET_FILE_MISSING, DATASET_FILE_EMPTY */
export async function assertNotEmpty(path: string, name: string): Promise<void> {
  const found = await stat(path).catch(() => null);
  if (!found?.isFile()) {
    throw new GnnError("DATASET_FILE_MISSING", `${name} is not there; upload it or correct its name.`, {
      place: { file: name },
    });
  }
  if (found.size > 0) return;
  throw new GnnError("DATASET_FILE_EMPTY", `${name} has no bytes; upload it again or leave it out.`, {
    place: { file: name },
  });
}

/**
 * Checks that a compressed file is all there, and that it unpacks to no more than allowed.
 *
 * @throws GnnError DATASET_FORMAT_INVALID, DATASET_LIMIT_EXCEEDED
 */
export async function assertWhole(
  path: string,
  compression: Compression,
  name: string,
  limits: ReadingLimits,
): Promise<void> {
  const { size } = await stat(path);
  const check = (unpacked: number) => checkUnpacked(name, size, unpacked, limits);
  if (compression === "none") check(size);
  if (compression === "gzip") await assertGzipWhole(path, name, check);
  if (compression === "zstd") await assertZstdWhole(path, name, check);
}

/**
 * Unpacks a gzipped file and throws the bytes away: DuckDB reads a file that is cut off as if it were complete.
 *
 * @param check what has been unpacked so far; it throws when that is too much
 * @throws GnnError DATASET_FORMAT_INVALID
 */
async function assertGzipWhole(path: string, name: string, check: (unpacked: number) => void): Promise<void> {
  let unpacked = 0;
  try {
    for await (const chunk of unpackedBytes(path, "gzip")) {
      unpacked += chunk.byteLength;
      check(unpacked);
    }
  } catch (cause) {
    if (cause instanceof GnnError) throw cause;
    const message = `${name} cannot be unpacked: its gzip data are cut off or damaged. Upload it again.`;
    throw new GnnError("DATASET_FORMAT_INVALID", message, { cause, place: { file: name } });
  }
}
