import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ArchiveMember } from "../archives/archive.ts";

/** An array as a file of numpy.save, which is made while it is read. */
export function madeMember(
  name: string,
  bytes: number,
  read: () => AsyncGenerator<Buffer, void, undefined>,
): ArchiveMember {
  const unpack = (to: string) => pipeline(Readable.from(read()), createWriteStream(to, { flags: "wx" }));
  return { name, bytes, read, unpack };
}
