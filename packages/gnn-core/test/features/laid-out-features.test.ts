import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CsrFeatureStore } from "../../src/features/csr-feature-store.ts";
import { DenseFeatureStore } from "../../src/features/dense-feature-store.ts";
import type { FeatureRows, FeatureStore } from "../../src/features/feature-store.ts";
import { laidOutFeatures } from "../../src/features/laid-out-features.ts";
import { conformanceRows, featureStoreSuite } from "../conformance/feature-store.suite.ts";

type Run = { readonly from: number; readonly to: number; readonly count: number };

const layoutOf = (dim: number, runs: readonly Run[]) => ({ dim, runs: [...runs], types: null });

function denseStore(rows: readonly (readonly number[])[]): FeatureStore {
  return new DenseFeatureStore(rows[0]?.length ?? 0, [Float32Array.from(rows.flat())]);
}

function csrStore(rows: readonly (readonly number[])[]): FeatureStore {
  const stored = rows.map((row) => row.flatMap((value, column) => (value === 0 ? [] : [{ column, value }])));
  let end = 0n;
  const indptr = BigInt64Array.from([0n, ...stored.map((row) => (end += BigInt(row.length)))]);
  const indices = Int32Array.from(stored.flat(), ({ column }) => column);
  const values = Float32Array.from(stored.flat(), ({ value }) => value);
  return new CsrFeatureStore(rows[0]?.length ?? 0, [{ indptr, indices, values }]);
}

const stores = { dense: denseStore, csr: csrStore };

// The conformance rows, as a graph would have them that counts their columns backwards, among others.
const mixed = conformanceRows.map(([a, b, c]) => [9, c!, b!, 9, a!]);
const backwards: Run[] = [
  { from: 1, to: 2, count: 1 },
  { from: 2, to: 1, count: 1 },
  { from: 4, to: 0, count: 1 },
];
for (const [kind, storeOf] of Object.entries(stores)) {
  featureStoreSuite(`${kind}, laid out`, () => laidOutFeatures(storeOf(mixed), layoutOf(3, backwards)));
}

const tableOf = (rows: FeatureRows): number[][] => {
  const table = Array.from({ length: rows.numRows }, () => Array.from({ length: rows.dim }, () => 0));
  if (rows.kind === "dense") return table.map((_, i) => [...rows.values.subarray(i * rows.dim, (i + 1) * rows.dim)]);
  for (let i = 0; i < rows.numRows; i++) {
    for (let e = rows.indptr[i]!; e < rows.indptr[i + 1]!; e++) table[i]![rows.indices[e]!] = rows.values[e]!;
  }
  return table;
};

/** Names of columns on both sides, the same name at most once a side, and rows of the graph's */
const columnsAndRows = fc
  .record({
    model: fc.uniqueArray(fc.integer({ min: 0, max: 12 }), { minLength: 1, maxLength: 9 }),
    graph: fc.uniqueArray(fc.integer({ min: 0, max: 12 }), { minLength: 1, maxLength: 9 }),
  })
  .chain(({ model, graph }) =>
    fc.record({
      model: fc.constant(model),
      graph: fc.constant(graph),
      rows: fc.array(fc.array(fc.integer({ min: 0, max: 3 }), { minLength: graph.length, maxLength: graph.length }), {
        minLength: 1,
        maxLength: 6,
      }),
    }),
  );

describe("features in the columns of a model", () => {
  it.each(Object.entries(stores))("have each value under its name and zeros elsewhere: %s", async (_, storeOf) => {
    await fc.assert(
      fc.asyncProperty(columnsAndRows, async ({ model, graph, rows }) => {
        const runs = graph.flatMap((name, from) =>
          model.includes(name) ? [{ from, to: model.indexOf(name), count: 1 }] : [],
        );
        const laid = laidOutFeatures(storeOf(rows), layoutOf(model.length, runs));
        const expected = rows.map((row) => model.map((name) => row[graph.indexOf(name)] ?? 0));
        const ids = Int32Array.from(rows, (_row, i) => i);
        expect(tableOf(laid.gather(ids))).toEqual(expected);
        expect(tableOf(await laid.gatherAsync(ids))).toEqual(expected);
      }),
      { numRuns: 200 },
    );
  });

  it.each([
    ["beyond the graph's columns", [{ from: 3, to: 0, count: 3 }]],
    ["beyond the model's columns", [{ from: 0, to: 2, count: 2 }]],
    [
      "from one column to two",
      [
        { from: 0, to: 0, count: 1 },
        { from: 0, to: 1, count: 1 },
      ],
    ],
    [
      "from two columns to one",
      [
        { from: 0, to: 0, count: 2 },
        { from: 2, to: 1, count: 1 },
      ],
    ],
  ])("are refused where a run leads %s", (_, runs) => {
    expect(() => laidOutFeatures(denseStore(mixed), layoutOf(3, runs))).toThrow(
      expect.objectContaining({ code: "SHAPE_MISMATCH", message: expect.stringMatching(/graph has 5 columns/) }),
    );
  });
});
