import { describe, expect, it } from "vitest";
import type { NodeIds } from "../../src/export/node-ids.ts";
import { sampleIds } from "../../src/export/sample-ids.ts";

const idOf = (row: number) => `node ${row} 🦉`;

/** Ids that are made when they are asked for, and the ranges that were asked for. */
function madeIds(numRows: number) {
  const reads: { start: number; count: number }[] = [];
  const ids: NodeIds = {
    type: "string",
    read: async (start, count) => {
      reads.push({ start, count });
      const length = Math.min(count, numRows - start);
      const texts = Array.from({ length }, (_, i) => Buffer.from(idOf(start + i)));
      const offsets = new Int32Array(length + 1);
      for (const [i, text] of texts.entries()) offsets[i + 1] = offsets[i]! + text.length;
      return { type: "string", length, offsets, bytes: Buffer.concat(texts) };
    },
    close: async () => {},
  };
  return { ids, reads };
}

const ignored = () => {};
const textsOf = ({ offsets, bytes }: { offsets: Int32Array; bytes: Uint8Array }) =>
  Array.from({ length: offsets.length - 1 }, (_, i) =>
    Buffer.from(bytes.subarray(offsets[i], offsets[i + 1])).toString(),
  );

describe("sampleIds", () => {
  it.each([
    ["next to each other", Int32Array.from({ length: 500 }, (_, i) => i)],
    ["far apart", Int32Array.from([0, 999, 50_000, 50_001, 1_999_999_999])],
    ["in clusters", Int32Array.from([3, 200, 450, 100_000, 100_255, 100_600])],
    ["none", new Int32Array()],
  ])("has the id of each row: %s", async (_how, rows) => {
    const { ids } = madeIds(2_000_000_000);
    expect(textsOf(await sampleIds(ids, rows, ignored))).toEqual(Array.from(rows, idOf));
  });

  it("reads near rows together, never many at a time, and nothing of what lies between far ones", async () => {
    const near = Int32Array.from({ length: 2000 }, (_, i) => i * 100);
    const { ids, reads } = madeIds(200_000);
    await sampleIds(ids, near, ignored);
    expect(reads.length).toBeLessThan(10);
    expect(Math.max(...reads.map(({ count }) => count))).toBeLessThanOrEqual(65_536);
    const { ids: large, reads: apart } = madeIds(2_000_000_000);
    await sampleIds(large, Int32Array.from([5, 1_000_000_000]), ignored);
    expect(apart).toEqual([
      { start: 5, count: 1 },
      { start: 1_000_000_000, count: 1 },
    ]);
  });
});
