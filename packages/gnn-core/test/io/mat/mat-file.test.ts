import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import { defaultReadingLimits } from "../../../src/io/limits/reading-limits.ts";
import { readMatFile } from "../../../src/io/mat/mat-file.ts";

const dir = mkdtempSync(join(tmpdir(), "hopwise-mat-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

function element(type: number, bytes: Uint8Array): Buffer {
  const tag = Buffer.alloc(8);
  tag.writeUInt32LE(type, 0);
  tag.writeUInt32LE(bytes.length, 4);
  const padding = type === 15 ? 0 : (8 - (bytes.length % 8)) % 8;
  return Buffer.concat([tag, bytes, Buffer.alloc(padding)]);
}

const words = (...values: readonly number[]) => Buffer.from(Int32Array.from(values).buffer);

/** A row of numbers of one byte each, each of which is held in eight */
function numbers(name: string, count: number): Buffer {
  const parts = [
    element(6, words(9, 0)),
    element(5, words(1, count)),
    element(1, Buffer.from(name)),
    element(2, Buffer.alloc(count)),
  ];
  return element(14, Buffer.concat(parts));
}

function read(variables: readonly Buffer[], memoryBytes = 2 ** 30) {
  const header = Buffer.alloc(128, "MATLAB 5.0 MAT-file ");
  header.write("\x00\x01IM", 124, "latin1");
  const bytes = Buffer.concat([header, ...variables]);
  const path = join(dir, "some.mat");
  writeFileSync(path, bytes);
  const memory = { most: memoryBytes, setting: "limits.memoryBytes" };
  return readMatFile({ name: "some.mat", path, bytes: bytes.length }, { ...defaultReadingLimits, memoryBytes: memory });
}

describe("a MAT-file is read within its limits", () => {
  const refused = /some\.mat: reading it needs more bytes of memory than it may have.*limits\.memoryBytes/;

  it("whose numbers count together, as wide as they are held", async () => {
    const three = ["a", "b", "c"].map((name) => numbers(name, 10_000));
    await expect(read(three, 200_000)).rejects.toThrow(refused);
    expect(await read(three, 300_000)).toHaveLength(3);
  });

  it("and packed ones before they are unpacked", async () => {
    const packed = element(15, deflateSync(numbers("zeros", 1_000_000)));
    await expect(read([packed], 100_000)).rejects.toThrow(refused);
    expect(await read([packed])).toMatchObject([{ kind: "numbers", name: "zeros", shape: [1, 1_000_000] }]);
  });

  it("and has no more variables and fields than somebody can mean", async () => {
    const many = Array.from({ length: 10_001 }, () => numbers("x", 1));
    await expect(read(many)).rejects.toThrow(/damaged MATLAB file: it has more than 10000 variables/);
    expect(await read(many.slice(1))).toHaveLength(10_000);
  });

  it("and whose cells, however many, are not looked at", async () => {
    const cells = Array.from({ length: 20_000 }, () => numbers("", 1));
    const parts = [element(6, words(1, 0)), element(5, words(1, 20_000)), element(1, Buffer.from("names")), ...cells];
    expect(await read([element(14, Buffer.concat(parts))])).toEqual([{ kind: "other", name: "names" }]);
  });
});
