import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { GnnError } from "../../errors/gnn-error.ts";
import { checkUnpacked, type ReadingLimits } from "../limits/reading-limits.ts";
import {
  assertNotEmpty,
  assertWhole,
  type Compression,
  compressionOf,
  firstBytes,
  unpackedBytes,
} from "../text-file.ts";
import { decoderOf, UndecodableText } from "./decode-text.ts";
import { certainEncodingOf, linesIn } from "./detect-encoding.ts";
import { type Encoding, nameOfEncoding } from "./encodings.ts";

/** Where copies lie, and what they may come to. */
export interface CopyContext {
  /** Whoever gives it removes it, with what a failure leaves there. */
  readonly scratchDir: string;
  readonly limits: ReadingLimits;
}

export interface Utf8File {
  readonly path: string;
  /** Removes the copy, if there is one. */
  readonly remove: () => Promise<void>;
}

const byteOrderMark = Buffer.of(0xef, 0xbb, 0xbf);

/**
 * A text file as UTF-8: itself when it is that, else a copy, unpacked and written piece by piece; its lines keep their
 * numbers.
 *
 * @param encoding `auto`: what the beginning shows beyond doubt (`certainEncoding`)
 * @param takesMark whether whoever reads it passes over the mark that UTF-8 may begin with; else a copy has none
 * @throws GnnError DATASET_FILE_MISSING, DATASET_FILE_EMPTY, DATASET_FORMAT_INVALID with the line of bytes that stand
 * for no character, DATASET_LIMIT_EXCEEDED
 */
export async function asUtf8(
  source: { readonly name: string; readonly path: string },
  encoding: Encoding | "auto",
  { scratchDir, limits }: CopyContext,
  takesMark = true,
): Promise<Utf8File> {
  const { name, path } = source;
  await assertNotEmpty(path, name);
  const compression = await compressionOf(path);
  const found = encoding === "auto" ? await certainEncodingOf(path, compression, name) : encoding;
  if (found === "utf-8" && (takesMark || !(await hasMark(path, compression)))) return { path, remove: async () => {} };
  if (compression === "zstd") throw packedWithZstd(name, found);
  await assertWhole(path, compression, name, limits);
  const copy = join(scratchDir, `utf8-${randomUUID()}`);
  const remove = () => rm(copy, { force: true });
  try {
    await pipeline(utf8Pieces(source, compression, found, limits), createWriteStream(copy, { mode: 0o600 }));
    return { path: copy, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function hasMark(path: string, compression: Compression): Promise<boolean> {
  if (compression === "zstd") return false;
  const head = await firstBytes(path, compression, byteOrderMark.length).catch(() => null);
  return head !== null && head.equals(byteOrderMark);
}

async function* utf8Pieces(
  { name, path }: { readonly name: string; readonly path: string },
  compression: Exclude<Compression, "zstd">,
  encoding: Encoding,
  limits: ReadingLimits,
): AsyncIterable<Buffer> {
  const { size } = await stat(path);
  const decoder = decoderOf(encoding);
  let written = 0;
  let line = 1;
  let endsInReturn = false;
  const piece = (decode: () => string) => {
    const text = textOrRefusal(decode, name, encoding, line);
    line += linesIn(text) - (endsInReturn && text.startsWith("\n") ? 1 : 0);
    if (text !== "") endsInReturn = text.endsWith("\r");
    const bytes = Buffer.from(text);
    written += bytes.byteLength;
    checkUnpacked(name, size, written, limits);
    return bytes;
  };
  for await (const chunk of unpackedBytes(path, compression)) yield piece(() => decoder.decode(chunk));
  yield piece(() => decoder.end());
}

function textOrRefusal(decode: () => string, file: string, encoding: Encoding, firstLine: number): string {
  try {
    return decode();
  } catch (cause) {
    if (!(cause instanceof UndecodableText)) throw cause;
    const line = firstLine + linesIn(cause.before);
    const message = `${file}, line ${line}: its bytes are not ${nameOfEncoding(encoding)}. Choose another encoding, or save the file as UTF-8.`;
    throw new GnnError("DATASET_FORMAT_INVALID", message, { cause, place: { file, line } });
  }
}

function packedWithZstd(file: string, encoding: Encoding): GnnError {
  const message = `${file} is ${nameOfEncoding(encoding)} packed with zstd, which is unpacked for UTF-8 alone. Pack it with gzip, or save it as UTF-8.`;
  return new GnnError("DATASET_FORMAT_INVALID", message, { place: { file } });
}
