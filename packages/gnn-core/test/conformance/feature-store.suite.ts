import { describe, expect, test } from "vitest";
import type { FeatureRows, FeatureStore } from "../../src/features/feature-store.ts";

/** Rows as a dense table, whatever the kind. */
function toTable(rows: FeatureRows): number[][] {
  const table = Array.from({ length: rows.numRows }, () => Array.from({ length: rows.dim }, () => 0));
  if (rows.kind === "dense") return table.map((_, i) => [...rows.values.subarray(i * rows.dim, (i + 1) * rows.dim)]);
  for (let i = 0; i < rows.numRows; i++) {
    for (let e = rows.indptr[i]!; e < rows.indptr[i + 1]!; e++) table[i]![rows.indices[e]!] = rows.values[e]!;
  }
  return table;
}

/** The rows every implementation is filled with: row i, column j holds 10·i + j + 1, and 0 where i + j is odd. */
export const conformanceRows = Array.from({ length: 7 }, (_, i) =>
  Array.from({ length: 3 }, (_, j) => ((i + j) % 2 === 0 ? 10 * i + j + 1 : 0)),
);

/** What every FeatureStore promises. `create` holds `conformanceRows`. */
export function featureStoreSuite(name: string, create: () => FeatureStore): void {
  describe(`feature store ${name}`, () => {
    test("knows its shape", () => {
      expect(create()).toMatchObject({ numRows: 7, dim: 3 });
    });

    test.each([[[]], [[0, 1, 2, 3, 4, 5, 6]], [[6, 0, 3]], [[2, 2, 2]]])(
      "gives rows %j in their order",
      async (ids) => {
        const store = create();
        const expected = ids.map((id) => conformanceRows[id]);
        expect(toTable(store.gather(Int32Array.from(ids)))).toEqual(expected);
        const rows = await store.gatherAsync(Int32Array.from(ids));
        expect(toTable(rows)).toEqual(expected);
        expect(rows).toMatchObject({ kind: store.kind, numRows: ids.length, dim: 3 });
      },
    );

    test("the caller may change the ids once gatherAsync has returned, and the rows it got", async () => {
      const store = create();
      const ids = Int32Array.of(1, 2);
      const pending = store.gatherAsync(ids);
      ids.fill(6);
      const rows = await pending;
      expect(toTable(rows)).toEqual([conformanceRows[1], conformanceRows[2]]);
      rows.values.fill(-1);
      expect(toTable(store.gather(Int32Array.of(1)))).toEqual([conformanceRows[1]]);
    });

    test.each([-1, 7])("refuses row %i", async (id) => {
      const store = create();
      expect(() => store.gather(Int32Array.of(0, id))).toThrow(expect.objectContaining({ code: "SHAPE_MISMATCH" }));
      await expect(store.gatherAsync(Int32Array.of(id))).rejects.toMatchObject({ code: "SHAPE_MISMATCH" });
    });
  });
}
