import { expect, test } from "vitest";
import { DistTensor } from "../../src/dist-store/dist-tensor.ts";
import { RemoteRows } from "../../src/dist-store/remote-rows.ts";
import { StoredRows } from "../../src/features/stored-rows.ts";
import { releaseBatch } from "../../src/sampling/release-batch.ts";
import { distRanks, onRanks } from "./dist-ranks.ts";

const dim = 3;
const offsets = [0, 4, 8];
const rowOf = (id: number) => [id, 10 * id, -id];
const ids = Int32Array.of(5, 1, 7, 5, 0);
const expected = [...ids].flatMap(rowOf);

async function remoteRows(readOnly: boolean): Promise<RemoteRows> {
  const [first] = await onRanks(distRanks(2), async (store) => {
    const own = { first: 4 * store.rank.rank, count: 4 };
    const values = Float32Array.from([0, 1, 2, 3].flatMap((row) => rowOf(own.first + row)));
    await DistTensor.hosted(store, { name: "rows", dtype: "float32", rowShape: [dim], offsets, values });
    return new RemoteRows({ store, name: "rows", kind: "dense", numRows: 8, dim, own, segments: [values], readOnly });
  });
  return first as RemoteRows;
}

const valuesOf = (rows: object) => [...(rows as { values: Float32Array }).values];

test("rows that nobody writes are read where they lie: own, cached and fetched ones", async () => {
  const rows = await remoteRows(true);
  await rows.cache(Int32Array.of(7));
  const found = await rows.gatherAsync(ids);
  expect(found).toBeInstanceOf(StoredRows);
  expect([...((found as StoredRows).own.at(-1) as Float32Array)]).toEqual([5, 5].flatMap(rowOf));
  expect(valuesOf(found)).toEqual(expected);
});

test("a released batch holds neither ids nor rows of other ranks, and cannot be read any more", async () => {
  const rows = await remoteRows(true);
  const first = await rows.gatherAsync(ids);
  const second = await rows.gatherAsync(ids);
  for (const features of [first, second]) {
    if (features === first) expect(valuesOf(features)).toEqual(expected);
    releaseBatch({ blocks: [], seeds: ids, features });
    expect((features as StoredRows).own.map(({ length }) => length)).toEqual([0, 0]);
  }
  expect(() => valuesOf(second)).toThrow(expect.objectContaining({ code: "SPEC_INVALID" }));
  expect(() => (second as StoredRows).source).toThrow(expect.objectContaining({ code: "SPEC_INVALID" }));
  expect(valuesOf(await rows.gatherAsync(ids))).toEqual(expected);
});

test("rows that may be written are copied", async () => {
  const rows = await remoteRows(false);
  const found = await rows.gatherAsync(ids);
  expect(found).not.toBeInstanceOf(StoredRows);
  expect(valuesOf(found)).toEqual(expected);
});
