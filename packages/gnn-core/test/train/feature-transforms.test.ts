import fc from "fast-check";
import { expect, test } from "vitest";
import type { FeatureRows, FeatureStore } from "../../src/features/feature-store.ts";
import { fitTransforms, transformed } from "../../src/train/feature-transforms.ts";

// Column means 2, 1, 0; the last column is constant.
const matrix = [
  [1, 3, 0],
  [3, 0, 0],
  [2, 0, 0],
];

function storeOf(kind: "dense" | "csr", rows: number[][] = matrix, dim = 3): FeatureStore {
  const gather = (ids: Int32Array): FeatureRows => {
    const picked = [...ids].map((id) => rows[id] as number[]);
    const shape = { numRows: ids.length, dim };
    if (kind === "dense") return { kind, ...shape, values: Float32Array.from(picked.flat()) };
    const entries = picked.map((row) => row.flatMap((value, column) => (value === 0 ? [] : [{ column, value }])));
    let end = 0;
    return {
      kind,
      ...shape,
      indptr: Int32Array.from([0, ...entries.map((row) => (end += row.length))]),
      indices: Int32Array.from(entries.flat().map(({ column }) => column)),
      values: Float32Array.from(entries.flat().map(({ value }) => value)),
    };
  };
  return { kind, numRows: rows.length, dim, gather, gatherAsync: async (ids) => gather(ids) };
}

function valuesOf(kind: "dense" | "csr", types: ("rowNormalize" | "standardize")[], rows = matrix): number[] {
  const store = storeOf(kind, rows);
  return [...transformed(store, fitTransforms(types, store)).gather(Int32Array.from(rows.keys())).values];
}

const round = (values: number[]) => values.map((value) => Number(value.toFixed(5)));

test("rowNormalize divides by the sum of absolute values and leaves a row of zeros alone", () => {
  const rows = [
    [1, -3, 0],
    [0, 0, 0],
    [0, 0, 8],
  ];
  expect(valuesOf("dense", ["rowNormalize"], rows)).toEqual([1 / 4, -3 / 4, 0, 0, 0, 0, 0, 0, 1]);
  expect(valuesOf("csr", ["rowNormalize"], rows)).toEqual([1 / 4, -3 / 4, 1]);
});

test("standardize gives dense columns mean 0 and deviation 1, and a constant column becomes 0", () => {
  const deviation = Math.sqrt(((1 - 2) ** 2 + (3 - 2) ** 2 + 0) / 3); // of 1, 3, 2
  const second = Math.sqrt(((3 - 1) ** 2 + 1 + 1) / 3); // of 3, 0, 0
  expect(round(valuesOf("dense", ["standardize"]))).toEqual(
    round([-1 / deviation, 2 / second, 0, 1 / deviation, -1 / second, 0, 0, -1 / second, 0]),
  );
});

test("standardize scales CSR rows without centring, so no zero is filled in", () => {
  const deviation = Math.sqrt(2 / 3);
  const second = Math.sqrt(6 / 3);
  expect(round(valuesOf("csr", ["standardize"]))).toEqual(
    round([1 / deviation, 3 / second, 3 / deviation, 2 / deviation]),
  );
});

test("a later transform is fitted to what the earlier ones made", () => {
  const normalised = matrix.map((row) => row.map((value) => value / row.reduce((a, b) => a + b)));
  expect(round(valuesOf("dense", ["rowNormalize", "standardize"]))).toEqual(
    round(valuesOf("dense", ["standardize"], normalised)),
  );
});

test.each(["dense", "csr"] as const)(
  "%s rows of any width are as their formulas in float64 say, in both ways to gather",
  async (kind) => {
    const value = fc.oneof(fc.constant(0), fc.float({ noNaN: true, min: -1e6, max: 1e6 }));
    const matrices = fc
      .tuple(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 4 }))
      .chain(([dim, rows]) =>
        fc.array(fc.array(value, { minLength: dim, maxLength: dim }), { minLength: rows, maxLength: rows }),
      );
    await fc.assert(
      fc.asyncProperty(matrices, async (rows) => {
        const dim = rows[0]!.length;
        const mean = Float32Array.from({ length: dim }, (_, d) => d - 3);
        const scale = Float32Array.from({ length: dim }, (_, d) => 0.1 + d);
        const store = storeOf(kind, rows, dim);
        const ids = Int32Array.from(rows.keys());
        const stored = (values: readonly number[]) => values.filter((_, d) => kind === "dense" || values[d] !== 0);
        const normalised = rows.map((row) => {
          const sum = row.reduce((total, x) => total + Math.abs(x), 0);
          return stored(row).map((x) => (sum === 0 ? x : x / sum));
        });
        const standardised = rows.map((row) =>
          row.flatMap((x, d) => (kind === "csr" && x === 0 ? [] : [(x - (kind === "csr" ? 0 : mean[d]!)) / scale[d]!])),
        );
        for (const [transform, expected] of [
          [{ type: "rowNormalize" }, normalised.flat()],
          [{ type: "standardize", mean, scale }, standardised.flat()],
        ] as const) {
          const made = transformed(store, [transform]);
          const now = made.gather(ids).values;
          const later = (await made.gatherAsync(ids)).values;
          expect([...later]).toEqual([...now]);
          expect(now).toHaveLength(expected.length);
          expected.forEach((x, i) => {
            expect(Math.abs(now[i]! - x)).toBeLessThanOrEqual(Math.abs(x) * 1.5 * 2 ** -23 + 2 ** -149);
          });
        }
      }),
      { numRuns: 60 },
    );
  },
);
