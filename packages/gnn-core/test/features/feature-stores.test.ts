import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { writeColumnScale } from "../../src/features/column-scale-files.ts";
import { CsrFeatureStore, type CsrMatrix } from "../../src/features/csr-feature-store.ts";
import { DenseFeatureStore } from "../../src/features/dense-feature-store.ts";
import { type ColumnScale, type FeatureDtype, featureDtypes, storedAs } from "../../src/features/feature-dtype.ts";
import type { FeatureStore } from "../../src/features/feature-store.ts";
import { mapFeatures } from "../../src/features/map-features.ts";
import { int64Words, setInt64 } from "../../src/io/int64.ts";
import { writeNpy } from "../../src/io/npy.ts";
import { conformanceRows, featureStoreSuite } from "../conformance/feature-store.suite.ts";
import { tempDir } from "../support/graph-artifact.ts";

type Rows = readonly (readonly number[])[];

const dim = 3;
const layouts: readonly (readonly [string, readonly Rows[]])[] = [
  ["one segment", [conformanceRows]],
  [
    "segments with empty ones between",
    [conformanceRows.slice(0, 3), [], conformanceRows.slice(3, 4), conformanceRows.slice(4), []],
  ],
];

// Steps of one from zero: int8 holds the rows exactly.
const columns: ColumnScale = { scale: new Float32Array(dim).fill(1), offset: new Float32Array(dim) };
const columnsOf = (dtype: FeatureDtype) => (dtype === "int8" ? columns : null);

let temp: Awaited<ReturnType<typeof tempDir>>;
beforeAll(async () => {
  temp = await tempDir();
  await writeColumnScale(temp.dir, columns);
  for (const dtype of featureDtypes) for (const [layout, segments] of layouts) await write(dtype, layout, segments);
});
afterAll(() => temp.remove());

const implementations = {
  dense: {
    inMemory: (dtype: FeatureDtype, segments: readonly Rows[]): FeatureStore =>
      new DenseFeatureStore(
        dim,
        segments.map((rows) => encode(rows.flat(), dtype)),
        columnsOf(dtype),
      ),
    stem: (dtype: FeatureDtype, layout: string, i: number) => join(temp.dir, "dense", dtype, layout, String(i)),
  },
  csr: {
    inMemory: (dtype: FeatureDtype, segments: readonly Rows[]): FeatureStore =>
      new CsrFeatureStore(
        dim,
        segments.map((rows) => toCsr(rows, dtype)),
        columnsOf(dtype),
      ),
    stem: (dtype: FeatureDtype, layout: string, i: number) => join(temp.dir, "csr", dtype, layout, String(i)),
  },
} as const;

for (const kind of ["dense", "csr"] as const) {
  const { inMemory, stem } = implementations[kind];
  for (const dtype of featureDtypes) {
    for (const [layout, segments] of layouts) {
      featureStoreSuite(`${kind}, ${dtype}, ${layout}, in memory`, () => inMemory(dtype, segments));
      featureStoreSuite(`${kind}, ${dtype}, ${layout}, mapped`, () => {
        const stems = segments.map((_, i) => stem(dtype, layout, i));
        return mapFeatures({ kind, dim, dtype }, stems, temp.dir) as FeatureStore;
      });
    }
  }
}

describe("feature stores refuse", () => {
  const refusal = expect.objectContaining({ code: "SHAPE_MISMATCH" });

  test("a segment that is no whole number of rows", () => {
    expect(() => new DenseFeatureStore(3, [new Float32Array(4)])).toThrow(refusal);
    const torn = { ...toCsr(conformanceRows, "fp32"), values: new Float32Array(1) };
    expect(() => new CsrFeatureStore(3, [torn])).toThrow(refusal);
  });

  test.each(featureDtypes)("rows that do not lie in their matrix, in files that somebody else wrote (%s)", (dtype) => {
    const sound = toCsr(conformanceRows, dtype);
    const scale = dtype === "int8" ? columns : null;
    const all = Int32Array.from({ length: conformanceRows.length }, (_, row) => row);
    for (const offset of [4_000_000_000n, -1n]) {
      const indptr = sound.indptr.slice();
      indptr[1] = offset;
      expect(() => new CsrFeatureStore(dim, [{ ...sound, indptr }], scale).gather(all)).toThrow(refusal);
    }
    for (const column of [dim, -1, 2 ** 31 - 1]) {
      const indices = sound.indices.slice();
      indices[0] = column;
      expect(() => new CsrFeatureStore(dim, [{ ...sound, indices }], scale).gather(all)).toThrow(refusal);
    }
  });

  test("segments of different types, and int8 codes without a scale for every column", () => {
    expect(() => new DenseFeatureStore(1, [new Float32Array(1), new Int8Array(1)], columns)).toThrow(refusal);
    expect(() => new DenseFeatureStore(3, [new Int8Array(3)])).toThrow(refusal);
    expect(() => new DenseFeatureStore(2, [new Int8Array(2)], columns)).toThrow(refusal);
    expect(() => new CsrFeatureStore(3, [toCsr(conformanceRows, "int8")])).toThrow(refusal);
  });
});

async function write(dtype: FeatureDtype, layout: string, segments: readonly Rows[]): Promise<void> {
  const { npy } = storedAs[dtype];
  for (const [i, rows] of segments.entries()) {
    const dense = implementations.dense.stem(dtype, layout, i);
    await writeNpy(`${dense}.npy`, npy, [rows.length, dim], encode(rows.flat(), dtype) as never);
    const csr = implementations.csr.stem(dtype, layout, i);
    const { indptr, indices, values } = toCsr(rows, dtype);
    await writeNpy(join(csr, "indptr.npy"), "int64", [indptr.length], indptr);
    await writeNpy(join(csr, "indices.npy"), "int32", [indices.length], indices);
    await writeNpy(join(csr, "data.npy"), npy, [values.length], values as never);
  }
}

/** Whole numbers from 0 to 255, which every dtype holds. */
function encode(values: readonly number[], dtype: FeatureDtype): CsrMatrix["values"] {
  if (dtype === "fp32") return Float32Array.from(values);
  if (dtype === "int8") return Int8Array.from(values, (value) => value - 128);
  return Uint16Array.from(values, (value) => {
    if (value === 0) return 0;
    const exponent = Math.floor(Math.log2(value));
    return ((exponent + 15) << 10) | ((value / 2 ** exponent - 1) * 1024);
  });
}

function toCsr(rows: Rows, dtype: FeatureDtype): CsrMatrix {
  const indptr = new BigInt64Array(rows.length + 1);
  const entries = rows.map((row) => row.flatMap((value, column) => (value === 0 ? [] : [{ column, value }])));
  entries.reduce((sum, row, i) => {
    setInt64(int64Words(indptr), i + 1, sum + row.length);
    return sum + row.length;
  }, 0);
  return {
    indptr,
    indices: Int32Array.from(entries.flat(), ({ column }) => column),
    values: encode(
      entries.flat().map(({ value }) => value),
      dtype,
    ),
  };
}
