import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

/** Writes lines of CSV as they come, each already ended by `\n`. */
export async function writeLines(path: string, lines: AsyncIterable<string>): Promise<void> {
  await pipeline(Readable.from(lines), createWriteStream(path));
}

const needsQuotes = /[",\r\n]|^\s|\s$/;

/** A CSV field; an empty text is quoted, so that it differs from a missing one. */
export function csvField(text: string): string {
  return text === "" || needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
