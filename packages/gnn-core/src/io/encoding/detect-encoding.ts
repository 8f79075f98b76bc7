import { GnnError } from "../../errors/gnn-error.ts";
import { type Compression, firstBytes, unpackedBytes } from "../text-file.ts";
import { decoderOf } from "./decode-text.ts";
import type { Encoding } from "./encodings.ts";

/** What the bytes of a text file say of their encoding. */
export interface FoundEncoding {
  readonly encoding: Encoding;
  /** Whether other encodings would read the same: all bytes that were looked at are ASCII. */
  readonly isAscii: boolean;
  /** A line to judge a guess by; null: it is none. */
  readonly guessedBy: { readonly line: number; readonly text: string } | null;
}

/** Bytes that tell UTF-16 without a byte order mark. */
const sampled = 4096;
/** So much is looked through for bytes that are not UTF-8; a reader finds those behind it. */
const lookedThrough = 64 * 2 ** 20;
const shownLength = 80;

const certain = (encoding: Encoding): FoundEncoding => ({ encoding, isAscii: false, guessedBy: null });

/**
 * The encoding that the beginning of a text shows beyond doubt: by a byte order mark, by zeros in every other byte, or
 * by an XML declaration; else UTF-8.
 *
 * @throws GnnError DATASET_FORMAT_INVALID when an XML declaration names an encoding that is not read
 */
export function certainEncoding(head: Uint8Array, file: string): Encoding {
  if (head[0] === 0xff && head[1] === 0xfe) return "utf-16le";
  if (head[0] === 0xfe && head[1] === 0xff) return "utf-16be";
  return utf16WithoutMark(head.subarray(0, sampled)) ?? declaredEncoding(head, file) ?? "utf-8";
}

/** The encoding of a plain or gzipped file; of a text packed with zstd, which Node 20 cannot unpack, UTF-8 is taken. */
export async function certainEncodingOf(path: string, compression: Compression, file: string): Promise<Encoding> {
  if (compression === "zstd") return "utf-8";
  // What cannot be unpacked has an error of its own, which its reader gives.
  const head = await firstBytes(path, compression, sampled).catch(() => null);
  return head === null ? "utf-8" : certainEncoding(head, file);
}

/**
 * Looks through a text. Bytes that are not UTF-8 may be windows-1252: any bytes are, save five, so this is a guess.
 * Null: no text in any of these encodings, or parts of it in one and parts in another.
 *
 * @throws GnnError DATASET_FORMAT_INVALID as `certainEncoding`
 */
export async function detectEncoding(
  path: string,
  compression: "none" | "gzip",
  file: string,
): Promise<FoundEncoding | null> {
  const found = await certainEncodingOf(path, compression, file);
  if (found !== "utf-8") return certain(found);
  const utf8 = decoderOf("utf-8");
  let isAscii = true;
  let line = 1;
  let size = 0;
  for await (const chunk of unpackedBytes(path, compression)) {
    try {
      utf8.decode(chunk);
    } catch {
      return guessOf(chunk, line);
    }
    isAscii &&= chunk.every((byte) => byte < 0x80);
    line += linesIn(Buffer.from(chunk).toString("latin1"));
    size += chunk.byteLength;
    if (size > lookedThrough) return certain("utf-8");
  }
  return { encoding: "utf-8", isAscii, guessedBy: null };
}

/** Latin letters in UTF-16: a zero beside at least every second one, none on the other side, and no control codes. */
function utf16WithoutMark(head: Uint8Array): Encoding | null {
  const even = head.subarray(0, head.length - (head.length % 2));
  if (even.length < 16) return null;
  let [zerosFirst, zerosSecond] = [0, 0];
  for (let i = 0; i < even.length; i += 2) {
    if (even[i] === 0) zerosFirst++;
    if (even[i + 1] === 0) zerosSecond++;
  }
  const encoding = zerosFirst === 0 ? "utf-16le" : "utf-16be";
  if (Math.min(zerosFirst, zerosSecond) > 0 || Math.max(zerosFirst, zerosSecond) * 4 < even.length) return null;
  try {
    const text = decoderOf(encoding).decode(even);
    return isPlainText(text) && /[\n\r]/.test(text) ? encoding : null;
  } catch {
    return null;
  }
}

const declared: Readonly<Record<string, Encoding>> = {
  "utf-8": "utf-8",
  utf8: "utf-8",
  "us-ascii": "utf-8",
  ascii: "utf-8",
  "utf-16": "utf-8",
  "iso-8859-1": "windows-1252",
  latin1: "windows-1252",
  "windows-1252": "windows-1252",
  cp1252: "windows-1252",
};

/** A declaration of UTF-16 that can be read as ASCII is wrong. */
function declaredEncoding(head: Uint8Array, file: string): Encoding | null {
  const text = Buffer.from(head.subarray(0, 256)).toString("latin1");
  const name = /^(?:\xef\xbb\xbf)?\s*<\?xml\s[^>]*encoding\s*=\s*["']([^"']+)["']/.exec(text)?.[1];
  if (name === undefined) return null;
  const encoding = declared[name.toLowerCase()];
  if (encoding) return encoding;
  const message = `${file}, line 1: its XML declaration names the encoding ${name}, which is not read. Save the file as UTF-8.`;
  throw new GnnError("DATASET_FORMAT_INVALID", message, { place: { file, line: 1 } });
}

const utf8Sequence = /[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}/g;

/** @param line on which the piece begins, whose text before it is UTF-8 */
function guessOf(piece: Uint8Array, line: number): FoundEncoding | null {
  const bytes = Buffer.from(piece).toString("latin1");
  const numLone = bytes.replaceAll(utf8Sequence, "").match(/[\x80-\xff]/g)?.length ?? 0;
  // A damaged or patched-up UTF-8 file has some of both; two letters of Latin-1 rarely look like one of UTF-8.
  if ((bytes.match(utf8Sequence)?.length ?? 0) * 20 > numLone) return null;
  try {
    const text = decoderOf("windows-1252").decode(piece);
    if (!isPlainText(text)) return null;
    const at = text.search(/[^\0-\x7f]/);
    const start = Math.max(text.lastIndexOf("\n", at), text.lastIndexOf("\r", at)) + 1;
    const shown = text.slice(Math.max(start, at - shownLength / 2)).split(/[\n\r]/, 1)[0]!;
    const guessedBy = { line: line + linesIn(text.slice(0, at)), text: shown.slice(0, shownLength) };
    return { encoding: "windows-1252", isAscii: false, guessedBy };
  } catch {
    return null;
  }
}

/** Whether it has no control codes but tabs, line ends, form feeds and the mark with which DOS ends a text. */
function isPlainText(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x20 && (code < 0x09 || code > 0x0d) && code !== 0x1a) return false;
  }
  return true;
}

/** Line ends, of which a carriage return before a line feed is none of its own. */
export function linesIn(text: string): number {
  return text.match(/\r\n|\n|\r/g)?.length ?? 0;
}
