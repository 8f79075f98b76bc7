import { describe, expect, test } from "vitest";
import { DistTensor } from "../../src/dist-store/dist-tensor.ts";
import { constantRows, normalRows, uniformRows } from "../../src/dist-store/initializers.ts";
import { failureOf } from "../conformance/row-service.suite.ts";
import { distRanks, onRanks } from "./dist-ranks.ts";

const ids = (...values: number[]) => Int32Array.from(values);
const all = (count: number) => Int32Array.from({ length: count }, (_, id) => id);

test("asked for by the same name it is the same tensor, and keeps its rows", async () => {
  await onRanks(distRanks(2), async (store) => {
    const options = { name: "h", shape: [5, 2], dtype: "float32" } as const;
    const made = await DistTensor.create(store, options);
    if (store.rank.rank === 1) await made.set(ids(0), Float32Array.of(1, 2));
    await store.publish();
    const found = await DistTensor.create(store, options);
    expect(found).toBe(made);
    expect([...(await found.get(ids(0, 4)))]).toEqual([1, 2, 0, 0]);
  });
});

test("under a name that stands for another shape, type or initialiser nothing is created", async () => {
  await onRanks(distRanks(2), async (store) => {
    await DistTensor.create(store, { name: "h", shape: [5, 2], dtype: "float32" });
    const asked = [
      DistTensor.create(store, { name: "h", shape: [5, 3], dtype: "float32" }),
      DistTensor.create(store, { name: "h", shape: [5, 2], dtype: "int32" }),
      DistTensor.create(store, { name: "h", shape: [5, 2], dtype: "float32", init: constantRows(1) }),
    ];
    for (const creation of asked) expect(await failureOf(creation)).toBe("SPEC_INVALID");
  });
});

test("ranks that create different things are RANK_MISMATCH on all of them", async () => {
  const results = await onRanks(distRanks(3), (store) =>
    failureOf(DistTensor.create(store, { name: "h", shape: [5, 1 + (store.rank.rank >> 1)], dtype: "int32" })),
  );
  expect(results).toEqual(["RANK_MISMATCH", "RANK_MISMATCH", "RANK_MISMATCH"]);
});

test("unfit names, widths and ranges are SPEC_INVALID", async () => {
  const [store] = distRanks(1);
  const base = { name: "h", shape: [5, 2], dtype: "float32" } as const;
  for (const name of ["", "a b", "../a", "a//b", "/a", "a".repeat(101)]) {
    expect(await failureOf(DistTensor.create(store!, { ...base, name }))).toBe("SPEC_INVALID");
  }
  expect(await failureOf(DistTensor.create(store!, { ...base, shape: [5, 0] }))).toBe("SPEC_INVALID");
  expect(await failureOf(DistTensor.create(store!, { ...base, offsets: [0, 4] }))).toBe("SPEC_INVALID");
  expect(await failureOf(DistTensor.create(store!, { ...base, dtype: "int32", init: constantRows(1) }))).toBe(
    "SPEC_INVALID",
  );
});

describe("versions", () => {
  test("reads in a step see the step before, whichever rank wrote and whoever owns the row", async () => {
    await onRanks(distRanks(3), async (store) => {
      const { rank } = store.rank;
      const tensor = await DistTensor.create(store, { name: "t", shape: [9], dtype: "int32" });
      for (let step = 1; step <= 3; step++) {
        await tensor.set(ids(rank, 8 - rank), Int32Array.of(step, step));
        expect(new Set(await tensor.get(ids(0, 1, 2, 6, 7, 8)))).toEqual(new Set([step - 1]));
        await store.publish();
        expect(new Set(await tensor.get(ids(0, 1, 2, 6, 7, 8)))).toEqual(new Set([step]));
      }
    });
  });

  test("a read that was not waited for still sees the step it was made in", async () => {
    await onRanks(distRanks(2), async (store) => {
      const tensor = await DistTensor.create(store, { name: "t", shape: [2], dtype: "int32" });
      await tensor.set(ids(0, 1), Int32Array.of(1, 1));
      const early = tensor.get(ids(0, 1));
      const published = store.publish();
      const late = tensor.get(ids(0, 1));
      expect([...(await early)]).toEqual([0, 0]);
      expect([...(await late)]).toEqual([1, 1]);
      await published;
    });
  });

  test("of a row that several ranks write, the highest rank's stays, whoever came first", async () => {
    for (const order of [
      [0, 1, 2],
      [2, 1, 0],
      [1, 2, 0],
    ]) {
      const stores = distRanks(3);
      const tensors = await onRanks(stores, (store) =>
        DistTensor.create(store, { name: "t", shape: [3], dtype: "int32" }),
      );
      for (const rank of order) await tensors[rank]!.set(ids(0, 1, 2), Int32Array.of(rank, rank, rank));
      await onRanks(stores, (store) => store.publish());
      expect([...(await tensors[0]!.get(ids(0, 1, 2)))]).toEqual([2, 2, 2]);
    }
  });

  test("a rank that does not come to publish is RANK_TIMEOUT to the others", async () => {
    const [store] = distRanks(2, 100);
    expect(await failureOf(store!.publish())).toBe("RANK_TIMEOUT");
  });
});

describe("initialisers", () => {
  test.each([
    ["uniform", uniformRows(-1, 3, 7)],
    ["normal", normalRows(0.5, 7)],
    ["constant", constantRows(4)],
  ])("%s rows do not depend on who owns them", async (_name, init) => {
    const options = { name: "w", shape: [11, 5], dtype: "float32", init } as const;
    const rowsOn = async (worldSize: number) => {
      const read = await onRanks(distRanks(worldSize), async (store) =>
        (await DistTensor.create(store, options)).get(all(11)),
      );
      return [...read[0]!];
    };
    const alone = await rowsOn(1);
    expect(await rowsOn(3)).toEqual(alone);
    expect(await rowsOn(4)).toEqual(alone);
  });

  test("uniform and normal rows have the moments they are named for, and other seeds give other rows", async () => {
    const [store] = distRanks(1);
    const momentsOf = async (name: string, init: ReturnType<typeof uniformRows>) => {
      const { local } = await DistTensor.create(store!, { name, shape: [4000, 5], dtype: "float32", init });
      const mean = local.reduce((sum, value) => sum + value, 0) / local.length;
      return [mean, local.reduce((sum, value) => sum + (value - mean) ** 2, 0) / local.length, local] as const;
    };
    const [mean, variance, uniform] = await momentsOf("uniform", uniformRows(-1, 3, 1));
    // Standard error of the mean 0.008
    expect(mean).toBeCloseTo(1, 1);
    expect(variance).toBeCloseTo(16 / 12, 1);
    expect(uniform.every((value) => value >= -1 && value < 3)).toBe(true);
    const [zero, quarter] = await momentsOf("normal", normalRows(0.5, 1));
    expect(zero).toBeCloseTo(0, 1);
    expect(quarter).toBeCloseTo(0.25, 1);
    const [, , other] = await momentsOf("other", uniformRows(-1, 3, 2));
    expect(other.filter((value, i) => value === uniform[i]).length).toBeLessThan(20);
  });
});

test("rows that are hosted are served from the given memory and cannot be written", async () => {
  const offsets = [0, 2, 5];
  await onRanks(distRanks(2), async (store) => {
    const { rank } = store.rank;
    const values = rank === 0 ? Int8Array.of(1, 2) : Int8Array.of(3, 4, 5);
    const tensor = await DistTensor.hosted(store, {
      name: "ndata/split",
      dtype: "int8",
      rowShape: [],
      offsets,
      values,
    });
    expect(tensor).toMatchObject({ shape: [5], first: 2 * rank, count: 2 + rank });
    expect([...(await tensor.get(ids(4, 0, 2)))]).toEqual([5, 1, 3]);
    expect(await failureOf(tensor.set(ids(0), Int8Array.of(9)))).toBe("SPEC_INVALID");
    expect(tensor.local).toBe(values);
    await store.close();
  });
});
