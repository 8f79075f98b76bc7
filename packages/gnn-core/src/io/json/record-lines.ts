import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { unpackedBytes } from "../text-file.ts";
import type { JsonLayout } from "./json-layout.ts";

export interface JsonFile {
  readonly path: string;
  /** What the user calls it. */
  readonly name: string;
  readonly compression: "none" | "gzip";
  readonly layout: JsonLayout;
}

/** Lines that are not blank, with their numbers from 1. */
export async function* filledLines({ path, compression }: JsonFile): AsyncGenerator<{ line: number; text: string }> {
  const input = Readable.from(unpackedBytes(path, compression));
  let line = 0;
  for await (const text of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    line++;
    if (text.trim() !== "") yield { line, text };
  }
}

/** The line of record `row` (from 0); of an array, whose records need no lines of their own, its number from 1. */
export async function lineOfRecord(file: JsonFile, row: number): Promise<number> {
  if (file.layout === "array") return row + 1;
  let left = row;
  for await (const { line } of filledLines(file)) if (left-- === 0) return line;
  return row + 1;
}
