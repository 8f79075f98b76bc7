import { createHash } from "node:crypto";
import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Hdf5Contents, hdf5File } from "../../../../test/support/hdf5-file.ts";
import { openHdf5 } from "../../src/io/hdf5/hdf5-file.ts";
import { slicesOf } from "../../src/io/hdf5/slices.ts";
import { defaultReadingLimits, type ReadingLimits } from "../../src/io/limits/reading-limits.ts";
import { ReadingProcess } from "../../src/io/reading-process.ts";
import { temporaryDir } from "../support/run-step.ts";

async function opened(content: Uint8Array, limits: ReadingLimits = defaultReadingLimits) {
  const path = join(await temporaryDir("hdf5"), "a.h5");
  await writeFile(path, content);
  return openHdf5({ path, name: "a.h5", bytes: (await stat(path)).size }, limits);
}

const digestOf = (...pieces: readonly Uint8Array[]) => {
  const hash = createHash("sha256");
  for (const piece of pieces) hash.update(piece);
  return hash.digest("hex");
};

/** The digest of the bytes of the array `x`, as they are read. */
async function readDigest(content: Uint8Array, limits?: ReadingLimits): Promise<string> {
  const file = await opened(content, limits);
  try {
    const pieces: Uint8Array[] = [];
    for await (const piece of file.read(file.arrays.find(({ path }) => path === "x")!)) pieces.push(piece);
    return digestOf(...pieces);
  } finally {
    await file.close();
  }
}

const values = Float32Array.from({ length: 3_000_000 }, (_, i) => i % 1000);
const large: Hdf5Contents = { dataSets: { x: { data: values, shape: [30_000, 100], chunks: [700, 30], gzip: 1 } } };
/** A file one number of which is another, wherever it is written in four bytes */
function withNumber(file: Uint8Array, number: number, instead: number): Uint8Array {
  const changed = Buffer.from(file);
  const [from, to] = [Buffer.alloc(4), Buffer.alloc(4)];
  from.writeUInt32LE(number);
  to.writeUInt32LE(instead);
  for (let at = changed.indexOf(from); at !== -1; at = changed.indexOf(from, at + 4)) to.copy(changed, at);
  return changed;
}

describe("arrays of an HDF5 file", () => {
  it("reads an array of many chunks by slices, the last of which are not whole", async () => {
    expect(await readDigest(await hdf5File(large))).toBe(digestOf(new Uint8Array(values.buffer)));
  });

  it("covers each element once and in order, whatever the shape and the chunks", () => {
    const shapes: readonly [shape: readonly number[], chunks: readonly number[] | null, itemBytes: number][] = [
      [[5], null, 8],
      [[2, 3_000_000], [1, 65_536], 8],
      [[3, 2, 1_000_000], null, 8],
      [[0, 4], null, 4],
      [[1_500_000, 3], [40_000_000, 1], 4],
    ];
    for (const [shape, chunks, itemBytes] of shapes) {
      const inner = shape.map((_, axis) => shape.slice(axis + 1).reduce((product, one) => product * one, 1));
      let next = 0;
      for (const { first, count, bytes } of slicesOf({ shape, chunks, itemBytes })) {
        expect(first.reduce((sum, at, axis) => sum + at * inner[axis]!, 0)).toBe(next);
        expect(bytes).toBe(count.reduce((product, one) => product * one, itemBytes));
        expect(bytes).toBeLessThanOrEqual(64 * 2 ** 20);
        next += bytes / itemBytes;
      }
      expect(next).toBe(shape.reduce((product, one) => product * one, 1));
    }
  });

  it("names the filter of an array that it cannot unpack", async () => {
    const file = Buffer.from(
      await hdf5File({ dataSets: { x: { data: values.slice(0, 99), shape: [99], chunks: [50], gzip: 1 } } }),
    );
    const at = file.indexOf("deflate\0") - 8;
    file.writeUInt16LE(32_000, at);
    file.write("lzf\0\0\0\0\0", at + 8);
    await expect(readDigest(file)).rejects.toThrow(
      /a\.h5: the array x cannot be read: it is packed with lzf\. Write a copy/,
    );
  });

  it("refuses a chunk that is larger than what is held", async () => {
    const file = await hdf5File({
      dataSets: { x: { data: values.slice(0, 54_321), shape: [54_321], chunks: [12_345], gzip: 1 } },
    });
    await expect(readDigest(withNumber(file, 12_345, 2 ** 26))).rejects.toThrow(
      /one chunk of it has 268435456 bytes, expected at most 134217728/,
    );
  });

  it("says that a chunk is damaged, and gives nothing in its place", async () => {
    const file = Buffer.from(await hdf5File(large));
    file.fill(0x55, Math.floor(file.length / 2), Math.floor(file.length / 2) + 2000);
    await expect(readDigest(file)).rejects.toThrow(/a\.h5 is a damaged HDF5 file: the data of x cannot be read/);
  });

  it("holds what arrays unpack to, and the memory of the library, against the limits", async () => {
    const file = await hdf5File(large);
    const unpackedBytes = { most: 11_000_000, setting: "limits.unpackedBytes" };
    await expect(readDigest(file, { ...defaultReadingLimits, unpackedBytes })).rejects.toThrow(
      /it unpacks to 12000000 bytes or more; the limit is 11000000/,
    );
    const memoryBytes = { most: 19_400_000, setting: "limits.memoryBytes" };
    const oneChunk = await hdf5File({
      dataSets: { x: { data: values, shape: [3_000_000], chunks: [3_000_000], gzip: 1 } },
    });
    await expect(readDigest(oneChunk, { ...defaultReadingLimits, memoryBytes })).rejects.toThrow(
      /needs more bytes of memory than it may have; the limit is 19400000 \(limits.memoryBytes\)/,
    );
  });

  it("ends a process that does not answer in time", async () => {
    const path = join(await temporaryDir("endless"), "endless.mjs");
    await writeFile(path, 'process.on("message", () => { for (;;); });');
    const endless = new ReadingProcess(path, 300);
    await expect(endless.ask({ ask: "anything" })).rejects.toMatchObject({ endedBy: "late" });
    await endless.close();
  });
});
