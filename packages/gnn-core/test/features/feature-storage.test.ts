import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DenseFeatureStore } from "../../src/features/dense-feature-store.ts";
import { chooseStorage } from "../../src/features/feature-storage.ts";
import { mapFeatures } from "../../src/features/map-features.ts";
import { placeFeatures } from "../../src/features/place-features.ts";
import { writeNpy } from "../../src/io/npy.ts";
import { tempDir } from "../support/graph-artifact.ts";
import { residentBytes } from "../support/mapped-memory.ts";

let temp: Awaited<ReturnType<typeof tempDir>>;
beforeAll(async () => {
  temp = await tempDir();
});
afterAll(() => temp.remove());

test("auto keeps features in memory as long as they take at most half of what is free", () => {
  expect(chooseStorage("auto", 50, 100)).toBe("memory");
  expect(chooseStorage("auto", 51, 100)).toBe("mapped");
  expect(chooseStorage("memory", 51, 0)).toBe("memory");
  expect(chooseStorage("mapped", 1, 100)).toBe("mapped");
});

describe("placing features", () => {
  const values = Float32Array.from({ length: 1 << 18 }, (_, i) => i);
  const mapped = async (name: string) => {
    const stem = join(temp.dir, name);
    await writeNpy(`${stem}.npy`, "float32", [1 << 14, 16], values);
    const store = mapFeatures({ kind: "dense", dim: 16 }, [stem], temp.dir);
    if (!store) throw new Error("no features");
    return { store, file: `${stem}.npy` };
  };

  test("memory reads every page before a row is asked for; mapped reads none", async () => {
    const eager = await mapped("eager");
    expect(await residentBytes(process.pid, eager.file)).toBeLessThan(values.byteLength / 4);
    expect(await placeFeatures(eager.store, "memory")).toBe("memory");
    expect(await residentBytes(process.pid, eager.file)).toBeGreaterThanOrEqual(values.byteLength);
    const lazy = await mapped("lazy");
    expect(await placeFeatures(lazy.store, "mapped")).toBe("mapped");
    expect(await residentBytes(process.pid, lazy.file)).toBeLessThan(values.byteLength / 4);
    for (const { store } of [eager, lazy]) {
      const rows = store.gather(Int32Array.of(1000, 3));
      expect([rows.values[0], rows.values[31]]).toEqual([16_000, 63]);
    }
  });

  test("rows in the process's own memory are left alone", async () => {
    const store = new DenseFeatureStore(16, [values]);
    await placeFeatures(store, "mapped");
    expect(store.gather(Int32Array.of(2)).values[0]).toBe(32);
  });
});
