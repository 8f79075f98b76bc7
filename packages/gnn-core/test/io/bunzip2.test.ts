import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { bunzip2 } from "../../src/io/archives/bzip2/bunzip2.ts";
import { DamagedBzip2 } from "../../src/io/archives/bzip2/damaged-bzip2.ts";

/** Packed by bzip2 1.0.8; each file's bytes can be made here. */
const packed = (name: string) => readFileSync(new URL(`./bzip2/${name}.bz2`, import.meta.url));

async function* inPieces(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function unpacked(bytes: Uint8Array, pieceSize = 1000): Promise<Buffer> {
  const found: Buffer[] = [];
  for await (const piece of bunzip2(inPieces(bytes, pieceSize))) found.push(piece);
  return Buffer.concat(found);
}

const digest = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/** Edges of a graph, more than go into one block of 100,000 bytes */
const edges = Buffer.from(Array.from({ length: 30_000 }, (_, i) => `${i % 97} ${(i * 31) % 7}\n`).join(""));
/** Runs of all lengths up to two of the longest that a count says */
const runs = Buffer.concat(Array.from({ length: 520 }, (_, i) => Buffer.alloc(i, i % 7)));

describe("bunzip2", () => {
  it.each([
    ["edges", edges],
    ["runs", runs],
    ["empty", Buffer.alloc(0)],
  ])("unpacks %s as it was before, whatever pieces it comes in", async (name, content) => {
    const bytes = packed(name);
    expect(digest(await unpacked(bytes))).toBe(digest(content));
    expect(digest(await unpacked(bytes, 7))).toBe(digest(content));
  });

  it("unpacks streams that follow each other", async () => {
    const both = await unpacked(Buffer.concat([packed("runs"), packed("empty"), packed("runs")]));
    expect(digest(both)).toBe(digest(Buffer.concat([runs, runs])));
  });

  it("refuses what is cut off, anywhere", async () => {
    const bytes = packed("runs");
    for (let length = 1; length < bytes.length; length += 37)
      await expect(unpacked(bytes.subarray(0, length))).rejects.toThrow("its bzip2 data are cut off");
  });

  it("refuses what has one bit turned round, or gives the same bytes", async () => {
    const bytes = packed("runs");
    for (let bit = 0; bit < bytes.length * 8; bit += 61) {
      const damaged = Buffer.from(bytes);
      damaged[bit >> 3]! ^= 0x80 >> (bit & 7);
      const found = await unpacked(damaged).then(digest, (error: unknown) => error);
      // The hundreds of thousands of bytes that a block may have, and the bits behind the end, say nothing of the data.
      if (!(found instanceof DamagedBzip2)) expect(found).toBe(digest(runs));
    }
  });

  it("refuses what follows and is something else", async () => {
    await expect(unpacked(Buffer.concat([packed("runs"), Buffer.from("src,dst\n")]))).rejects.toThrow("something else");
  });
});
