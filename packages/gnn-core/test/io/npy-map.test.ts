import { readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { writeNpy } from "../../src/io/npy.ts";
import { mapNpy, mapSharedFloat32 } from "../../src/io/npy-map.ts";
import { tempDir } from "../support/graph-artifact.ts";

let temp: Awaited<ReturnType<typeof tempDir>>;
beforeAll(async () => {
  temp = await tempDir();
});
afterAll(() => temp.remove());

const refusal = (code: string) => expect.objectContaining({ name: "GnnError", code });

describe("mapping .npy files", () => {
  test.each([
    ["int64", BigInt64Array.of(1n, -2n, 2n ** 40n)],
    ["int32", Int32Array.of(1, -2, 3)],
    ["float32", Float32Array.of(0.5, -2, 3)],
    ["int8", Int8Array.of(1, -2, 3)],
    ["uint8", Uint8Array.of(1, 255, 3)],
  ] as const)("gives %s elements as written, without reading the file", async (dtype, values) => {
    const path = join(temp.dir, `${dtype}.npy`);
    await writeNpy(path, dtype, [3], values as never);
    const mapped = mapNpy(path);
    expect(mapped).toMatchObject({ dtype, shape: [3] });
    expect([...mapped.values]).toEqual([...values]);
    expect(mapped.values.buffer.byteLength).toBe((await stat(path)).size);
  });

  test("an array without elements is mapped too", async () => {
    const path = join(temp.dir, "empty.npy");
    await writeNpy(path, "float32", [0, 4], new Float32Array(0));
    expect(mapNpy(path, "float32")).toMatchObject({ shape: [0, 4], values: new Float32Array(0) });
  });

  test("another type, a cut-off file, another format and no file at all are refused with the file's name", async () => {
    const path = join(temp.dir, "refused.npy");
    await writeNpy(path, "int32", [100], new Int32Array(100));
    expect(() => mapNpy(path, "float32")).toThrow(refusal("DATASET_FORMAT_INVALID"));
    const bytes = await readFile(path);
    await writeFile(path, bytes.subarray(0, 300));
    expect(() => mapNpy(path)).toThrow(/300 bytes; its header promises/);
    await writeFile(path, "src,dst\n");
    expect(() => mapNpy(path)).toThrow(refusal("DATASET_FORMAT_INVALID"));
    await writeFile(path, "");
    expect(() => mapNpy(path)).toThrow(refusal("DATASET_FORMAT_INVALID"));
    expect(() => mapNpy(join(temp.dir, "absent.npy"))).toThrow(refusal("DATASET_FILE_MISSING"));
  });

  test("a mapping outlives its file", async () => {
    const path = join(temp.dir, "gone.npy");
    await writeNpy(path, "int32", [4], Int32Array.of(1, 2, 3, 4));
    const { values } = mapNpy(path, "int32");
    await rm(path);
    expect([...values]).toEqual([1, 2, 3, 4]);
  });

  test("shared arrays start at zero and show every writer's values", () => {
    const path = join(temp.dir, "shared.bin");
    const one = mapSharedFloat32(path, 5);
    const other = mapSharedFloat32(path, 5);
    expect([...one]).toEqual([0, 0, 0, 0, 0]);
    other[3] = 2.5;
    expect(one[3]).toBe(2.5);
  });
});
