import { z } from "zod";

/** How the bytes of a text file stand for characters. */
export const encodings = ["utf-8", "utf-16le", "utf-16be", "windows-1252"] as const;
export type Encoding = (typeof encodings)[number];

/**
 * Option of readers of text. Whoever opens a file by a reader with this option hands it a UTF-8 copy (`asUtf8`), so the
 * reader itself knows UTF-8 alone.
 */
export const encodingOption = z
  .enum(["auto", ...encodings])
  .default("auto")
  .describe(
    "How bytes stand for characters; auto: UTF-8, UTF-16 where the bytes show it, or what an XML declaration says; Latin-1 is read as windows-1252",
  );

const titles: Readonly<Record<Encoding, string>> = {
  "utf-8": "UTF-8",
  "utf-16le": "UTF-16",
  "utf-16be": "UTF-16 (big-endian)",
  "windows-1252": "Windows-1252, which Latin-1 is a part of",
};

export function nameOfEncoding(encoding: Encoding): string {
  return titles[encoding];
}
