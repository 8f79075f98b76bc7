import { readdir } from "node:fs/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RowsByNode } from "../../../src/io/ingest/join/rows-by-node.ts";
import type { WantedColumn } from "../../../src/io/wanted-column.ts";
import { temporaryDir } from "../../support/run-step.ts";

const columns: readonly WantedColumn[] = [
  { name: "text", as: "text" },
  { name: "number", as: "number" },
  { name: "vector", as: "vector", width: 3 },
];

const row = fc.record({
  node: fc.nat(19),
  text: fc.option(fc.string({ unit: "grapheme", maxLength: 12 })),
  numbers: fc.array(fc.double(), { minLength: 4, maxLength: 4 }),
});

describe("the rows of a table by their nodes", () => {
  it("are the last of each node in whatever order they come, few or many nodes at a time", async () => {
    const folder = await temporaryDir("ranges");
    const cases = fc.asyncProperty(
      fc.array(row, { maxLength: 60 }),
      fc.constantFrom(1, 3, 7, 20, undefined),
      fc.integer({ min: 1, max: 20 }),
      fc.integer({ min: 1, max: 20 }),
      async (rows, nodesInRange, nodesAtOnce, rowsAtOnce) => {
        const store = new RowsByNode(columns, 20, folder, nodesInRange);
        const texts = rows.map(({ text }) => text);
        const numbers = Float64Array.from(rows, ({ numbers: [first] }) => first!);
        const vectors = Float64Array.from(rows.flatMap(({ numbers: [, ...others] }) => others));
        for (const [i, { node }] of rows.entries()) {
          store.write(node, 100 + i, [texts, numbers, vectors], i);
          if (i % rowsAtOnce === 0) await store.flush();
        }
        for (let first = 0; first < 20; first += nodesAtOnce) {
          const count = Math.min(nodesAtOnce, 20 - first);
          const found = await store.read(first, count);
          const lasts = Array.from({ length: count }, (_, i) => rows.findLastIndex(({ node }) => node === first + i));
          expect(Array.from(found.rows)).toEqual(lasts.map((last) => (last < 0 ? -1 : 100 + last)));
          expect(found.cells[0]).toEqual(lasts.map((last) => rows[last]?.text ?? null));
          const none = [Number.NaN, Number.NaN, Number.NaN, Number.NaN];
          const expected = lasts.map((last) => rows[last]?.numbers ?? none);
          expect(Array.from(found.cells[1] as Float64Array)).toEqual(expected.map(([number]) => number));
          expect(Array.from(found.cells[2] as Float64Array)).toEqual(expected.flatMap(([, ...others]) => others));
        }
        await store.close();
      },
    );
    await fc.assert(cases, { numRuns: 60 });
    expect(await readdir(folder)).toEqual([]);
  });

  it("keep long texts and empty ones apart from none", async () => {
    const texts = ["", null, "é".repeat(100_000), "x"];
    for (const order of [
      [3, 0, 2, 1],
      [2, 3, 1, 0],
    ]) {
      const folder = await temporaryDir("ranges");
      const store = new RowsByNode([columns[0]!], 4, folder, 2);
      for (const node of order) {
        store.write(node, node, [texts], node);
        await store.flush();
      }
      // The range of the long text is on disk, the other in memory.
      expect(await readdir(folder)).toHaveLength(1);
      expect((await store.read(0, 4)).cells).toEqual([texts]);
      await store.close();
      expect(await readdir(folder)).toEqual([]);
    }
  });
});
