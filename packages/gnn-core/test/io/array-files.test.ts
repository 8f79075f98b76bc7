import { mkdtemp, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { strFromU8, unzipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { int64At, int64Words, setInt64 } from "../../src/io/int64.ts";
import { NpyReader, NpyWriter, readNpy, writeNpy } from "../../src/io/npy.ts";
import { formatNpyHeader } from "../../src/io/npy-header.ts";
import { numbersOf } from "../../src/io/npy-numbers.ts";
import { readNpzCsr, writeNpzCsr } from "../../src/io/npz.ts";
import { readSafetensors, writeSafetensors } from "../../src/io/safetensors.ts";

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "hopwise-arrays-"));
});
afterAll(() => rm(dir, { recursive: true }));

describe("int64 words", () => {
  it("read and write every safe integer as BigInt does", () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (value) => {
        const array = new BigInt64Array(2);
        setInt64(int64Words(array), 1, value);
        expect(array[1]).toBe(BigInt(value));
        expect(int64At(int64Words(array), 1)).toBe(value);
      }),
    );
  });
});

describe("npy", () => {
  it("writes what numpy writes: magic, version 1, header padded to 64 bytes", async () => {
    const path = join(dir, "numpy.npy");
    await writeNpy(path, "float32", [2, 3], Float32Array.from([1, 2, 3, 4, 5, 6]));
    const bytes = await readFile(path);
    const header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";
    expect(bytes.subarray(0, 10)).toEqual(Buffer.from([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, 118, 0]));
    expect(bytes.toString("latin1", 10, 128)).toBe(`${header.padEnd(117)}\n`);
    expect(bytes.readFloatLE(128 + 5 * 4)).toBe(6);
    expect(bytes).toHaveLength(128 + 6 * 4);
  });

  it("reads back every type, whole and by rows", async () => {
    const arrays = {
      int64: BigInt64Array.from([-1n, 2n ** 62n, 0n]),
      int32: Int32Array.from([-1, 2 ** 31 - 1, 0]),
      float32: Float32Array.from([Number.NaN, -0, 1e-45]),
      float16: Uint16Array.from([0x3c00, 0x8001, 0]),
      int8: Int8Array.from([-128, 127, 0]),
      uint8: Uint8Array.from([0, 255, 7]),
    };
    for (const dtype of ["int64", "int32", "float32", "float16", "int8", "uint8"] as const) {
      const path = join(dir, `${dtype}.npy`);
      await writeNpy(path, dtype, [3], arrays[dtype] as never);
      expect(await readNpy(path)).toEqual({ dtype, shape: [3], values: arrays[dtype] });
      const reader = await NpyReader.open(path, dtype);
      expect(await reader.readRows(1, 100)).toEqual(arrays[dtype].slice(1));
      await reader.close();
    }
  });

  it("reads unsigned numbers of 64 bits that no signed one holds", () => {
    const header = Buffer.from(formatNpyHeader("int64", [2]));
    const npy = Buffer.concat([header, Buffer.from(BigUint64Array.of(2n ** 63n, 7n).buffer)]);
    npy.write("<u8", npy.indexOf("<i8"), "latin1");
    expect([...Float64Array.from(numbersOf(npy, "x.npy"))]).toEqual([2 ** 63, 7]);
  });

  it("reads the numbers of a float16 array as numpy means them", async () => {
    const path = join(dir, "half.npy");
    // np.array([1, -2, 65504, 2**-24, 0.1], "<f2")
    await writeNpy(path, "float16", [5], Uint16Array.of(0x3c00, 0xc000, 0x7bff, 0x0001, 0x2e66));
    expect([...Float32Array.from(numbersOf(await readFile(path), "half.npy"))]).toEqual([
      1,
      -2,
      65504,
      2 ** -24,
      0.0999755859375,
    ]);
  });

  it("streams rows whose number is not known before", async () => {
    const path = join(dir, "streamed.npy");
    const writer = await NpyWriter.open(path, "float32", [2]);
    await writer.append(Float32Array.from([1, 2]));
    await writer.append(Float32Array.from([3, 4, 5, 6]));
    expect(await writer.close()).toEqual([3, 2]);
    expect(await readNpy(path, "float32")).toMatchObject({
      shape: [3, 2],
      values: Float32Array.from([1, 2, 3, 4, 5, 6]),
    });
  });

  it("refuses files that are cut off, of another type, or no npy", async () => {
    const path = join(dir, "cut.npy");
    await writeNpy(path, "int32", [100], new Int32Array(100));
    await expect(readNpy(path, "float32")).rejects.toMatchObject({ code: "DATASET_FORMAT_INVALID" });
    await truncate(path, 200);
    await expect(readNpy(path)).rejects.toThrow(/cut off/);
    await writeFile(path, "not an array at all");
    await expect(readNpy(path)).rejects.toMatchObject({ code: "DATASET_FORMAT_INVALID" });
    await expect(writeNpy(path, "int32", [2], new Int32Array(3))).rejects.toMatchObject({ code: "SHAPE_MISMATCH" });
  });
});

describe("npz", () => {
  const csr = {
    numRows: 3,
    dim: 4,
    indptr: BigInt64Array.from([0n, 2n, 2n, 3n]),
    indices: Int32Array.from([3, 0, 1]),
    data: Float32Array.from([1, 0.5, -2]),
  };

  it("names row and column of a value that is not finite", async () => {
    const path = join(dir, "nan.npz");
    const data = Float32Array.of(1, 2, Number.NaN);
    const csr = { numRows: 3, dim: 9, indptr: BigInt64Array.of(0n, 2n, 2n, 3n), indices: Int32Array.of(0, 1, 7), data };
    await writeNpzCsr(path, csr);
    await expect(readNpzCsr(path, "mine.npz")).rejects.toMatchObject({
      code: "DATASET_VALUE_INVALID",
      place: { file: "mine.npz", line: 3, field: "column 8" },
    });
  });

  it("writes the members that scipy.sparse.save_npz writes, and reads them back", async () => {
    const path = join(dir, "matrix.npz");
    await writeNpzCsr(path, csr);
    const members = unzipSync(await readFile(path));
    expect(Object.keys(members).toSorted()).toEqual([
      "data.npy",
      "format.npy",
      "indices.npy",
      "indptr.npy",
      "shape.npy",
    ]);
    expect(strFromU8(members["format.npy"]!, true)).toMatch(/'descr': '\|S3'.*'shape': \(\).*\ncsr$/s);
    expect(await readNpzCsr(path, "matrix.npz")).toEqual(csr);
  });

  it.each([
    ["offsets that go back", { indptr: BigInt64Array.from([0n, 3n, 2n, 3n]) }],
    ["a column outside the matrix", { indices: Int32Array.from([4, 0, 1]) }],
  ])("refuses %s", async (_what, wrong) => {
    const path = join(dir, "wrong.npz");
    await writeNpzCsr(path, { ...csr, ...wrong });
    await expect(readNpzCsr(path, "mine.npz")).rejects.toMatchObject({
      code: "DATASET_FORMAT_INVALID",
      place: { file: "mine.npz" },
    });
  });
});

describe("safetensors", () => {
  const tensors = [
    { name: "layers.0.weight", shape: [2, 2], values: Float32Array.from([1, 2, 3, 4]) },
    { name: "step", shape: [], values: Int32Array.from([7]) },
    { name: "nothing", shape: [0, 3], values: new Float32Array() },
  ];

  it("writes header length, JSON padded to 8 bytes and arrays in order", async () => {
    const path = join(dir, "model.safetensors");
    await writeSafetensors(path, tensors, { format: "hopwise" });
    const bytes = await readFile(path);
    const length = Number(bytes.readBigUInt64LE(0));
    expect(length % 8).toBe(0);
    expect(JSON.parse(bytes.toString("utf8", 8, 8 + length))).toEqual({
      __metadata__: { format: "hopwise" },
      "layers.0.weight": { dtype: "F32", shape: [2, 2], data_offsets: [0, 16] },
      step: { dtype: "I32", shape: [], data_offsets: [16, 20] },
      nothing: { dtype: "F32", shape: [0, 3], data_offsets: [20, 20] },
    });
    expect(bytes.readFloatLE(8 + length + 12)).toBe(4);
  });

  it("reads back what was written", async () => {
    const path = join(dir, "again.safetensors");
    await writeSafetensors(path, tensors);
    const { tensors: read, metadata } = await readSafetensors(path);
    expect([...read.values()]).toEqual(tensors);
    expect(metadata).toEqual({});
  });

  it("refuses damaged files and wrong shapes", async () => {
    const path = join(dir, "damaged.safetensors");
    await writeSafetensors(path, tensors);
    await truncate(path, (await readFile(path)).length - 1);
    await expect(readSafetensors(path)).rejects.toMatchObject({ code: "CHECKPOINT_INVALID" });
    await writeFile(path, "short");
    await expect(readSafetensors(path)).rejects.toMatchObject({ code: "CHECKPOINT_INVALID" });
    const wrong = [{ name: "a", shape: [3], values: new Float32Array(2) }];
    await expect(writeSafetensors(path, wrong)).rejects.toMatchObject({ code: "SHAPE_MISMATCH" });
  });

  it.each([
    [
      "a type nested without end",
      `{"a":{"dtype":${"[".repeat(9000)}${"]".repeat(9000)},"shape":[],"data_offsets":[0,4]}}`,
    ],
    ["a shape of texts", `{"a":{"dtype":"F32","shape":["1"],"data_offsets":[0,4]}}`],
    ["a place before the file", `{"a":{"dtype":"F32","shape":[1],"data_offsets":[-4,0]}}`],
    ["no places at all", `{"a":null}`],
    ["a list instead of tensors", "[1,2,3]"],
  ])("refuses a header with %s", async (_, text) => {
    const path = join(dir, "header.safetensors");
    const length = Buffer.alloc(8);
    length.writeBigUInt64LE(BigInt(text.length));
    await writeFile(path, Buffer.concat([length, Buffer.from(text), new Uint8Array(8)]));
    await expect(readSafetensors(path)).rejects.toMatchObject({ code: "CHECKPOINT_INVALID" });
  });
});
