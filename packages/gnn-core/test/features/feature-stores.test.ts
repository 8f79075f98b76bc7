import { expect, test } from "vitest";
import { CsrFeatureStore } from "../../src/features/csr-feature-store.ts";
import { DenseFeatureStore } from "../../src/features/dense-feature-store.ts";
import { int64Words, setInt64 } from "../../src/io/int64.ts";
import { conformanceRows, featureStoreSuite } from "../conformance/feature-store.suite.ts";

const segments = [conformanceRows.slice(0, 3), [], conformanceRows.slice(3, 4), conformanceRows.slice(4), []];

featureStoreSuite("dense, one segment", () => new DenseFeatureStore(3, [Float32Array.from(conformanceRows.flat())]));
featureStoreSuite(
  "dense, segments with empty ones between",
  () =>
    new DenseFeatureStore(
      3,
      segments.map((rows) => Float32Array.from(rows.flat())),
    ),
);
featureStoreSuite("csr, one segment", () => new CsrFeatureStore(3, [toCsr(conformanceRows)]));
featureStoreSuite("csr, segments with empty ones between", () => new CsrFeatureStore(3, segments.map(toCsr)));

test("a segment that is no whole number of rows is refused", () => {
  expect(() => new DenseFeatureStore(3, [new Float32Array(4)])).toThrow(
    expect.objectContaining({ code: "SHAPE_MISMATCH" }),
  );
  const torn = { ...toCsr(conformanceRows), values: new Float32Array(1) };
  expect(() => new CsrFeatureStore(3, [torn])).toThrow(expect.objectContaining({ code: "SHAPE_MISMATCH" }));
});

function toCsr(rows: readonly (readonly number[])[]) {
  const indptr = new BigInt64Array(rows.length + 1);
  const entries = rows.map((row) => row.flatMap((value, column) => (value === 0 ? [] : [{ column, value }])));
  entries.reduce((sum, row, i) => {
    setInt64(int64Words(indptr), i + 1, sum + row.length);
    return sum + row.length;
  }, 0);
  return {
    indptr,
    indices: Int32Array.from(entries.flat(), ({ column }) => column),
    values: Float32Array.from(entries.flat(), ({ value }) => value),
  };
}
