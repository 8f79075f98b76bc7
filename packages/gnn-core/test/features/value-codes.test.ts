import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CsrFeatureStore } from "../../src/features/csr-feature-store.ts";
import { DenseFeatureStore } from "../../src/features/dense-feature-store.ts";
import { encodeRows, fitColumnScale } from "../../src/features/encode-rows.ts";
import type { ColumnScale, FeatureDtype } from "../../src/features/feature-dtype.ts";
import type { FeatureRows, FeatureStore } from "../../src/features/feature-store.ts";

/** Every finite binary16 by its definition: (−1)^s · 2^(e − 25) · (1024 + f), or 2^−24 · f where e is 0. */
function halfValue(code: number): number {
  const sign = code & 0x8000 ? -1 : 1;
  const exponent = (code >> 10) & 31;
  const fraction = code & 1023;
  return sign * (exponent === 0 ? 2 ** -24 * fraction : 2 ** (exponent - 25) * (1024 + fraction));
}

const finiteCodes = Uint16Array.from({ length: 65_536 }, (_, code) => code).filter((code) => ((code >> 10) & 31) < 31);
const positives = Float64Array.from({ length: 0x7c00 }, (_, code) => halfValue(code));

/** The nearest binary16 by search among all; of two equally near the one with an even code. */
function nearestHalf(value: number): number {
  let low = 0;
  let high = positives.length - 1;
  const size = Math.abs(value);
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (positives[middle]! <= size) low = middle;
    else high = middle;
  }
  const below = size - positives[low]!;
  const above = positives[high]! - size;
  const code = below === above ? low + (low % 2) : below < above ? low : high;
  return code | (value < 0 || Object.is(value, -0) ? 0x8000 : 0);
}

const idsOf = (count: number) => Int32Array.from({ length: count }, (_, i) => i);
const denseRows = (dim: number, values: readonly number[]): FeatureRows => ({
  kind: "dense",
  numRows: values.length / dim,
  dim,
  values: Float32Array.from(values),
});
const encodeHalf = (values: readonly number[]) =>
  encodeRows(denseRows(1, values), idsOf(values.length), "fp16", null) as Uint16Array;

describe("fp16", () => {
  // Widths that the vector paths fill, end in the middle of, and do not reach.
  test.each([1, 7, 8, 16, 31, 64])("rows of %i give back every finite binary16 bit by bit", (dim) => {
    const codes = new Uint16Array(Math.ceil(finiteCodes.length / dim) * dim);
    codes.set(finiteCodes);
    const rows = new DenseFeatureStore(dim, [codes]).gather(idsOf(codes.length / dim));
    const expected = Float32Array.from(codes, halfValue);
    expect(Buffer.from(rows.values.buffer, 0, expected.byteLength).equals(Buffer.from(expected.buffer))).toBe(true);
  });

  test("values round to the nearest binary16, ties to even", () => {
    const half = fc.integer({ min: 0, max: 0x7bfe }).map((code) => (halfValue(code) + halfValue(code + 1)) / 2);
    const anywhere = fc.float({ min: -65_519, max: 65_519, noNaN: true });
    const tiny = fc.float({ min: Math.fround(-1e-4), max: Math.fround(1e-4), noNaN: true });
    fc.assert(
      fc.property(fc.array(fc.oneof(half, anywhere, tiny), { maxLength: 200 }), (values) => {
        expect([...encodeHalf(values)]).toEqual(values.map(nearestHalf));
      }),
      { numRuns: 100 },
    );
  });

  test("what is a binary16 already stays, and the error of the rest is half a step at most", () => {
    expect([...encodeHalf([...finiteCodes].map(halfValue))]).toEqual([...finiteCodes]);
    expect(halfValue(encodeHalf([1 + 2 ** -11])[0]!)).toBe(1);
    expect(halfValue(encodeHalf([65_519.99])[0]!)).toBe(65_504);
  });
});

async function roundTrip(store: FeatureStore): Promise<{ columns: ColumnScale; decoded: Float32Array }> {
  const columns = await fitColumnScale(store);
  const ids = idsOf(store.numRows);
  const codes = encodeRows(store.gather(ids), ids, "int8", columns);
  return { columns, decoded: new DenseFeatureStore(store.dim, [codes], columns).gather(ids).values };
}

describe("int8", () => {
  const value = fc.oneof(
    fc.float({ noNaN: true, noDefaultInfinity: true }),
    fc.float({ min: -1, max: 1, noNaN: true }),
    fc.integer({ min: 0, max: 3 }),
  );
  const matrix = fc.integer({ min: 1, max: 40 }).chain((dim) =>
    fc.integer({ min: 1, max: 12 }).chain((numRows) =>
      fc.record({
        dim: fc.constant(dim),
        values: fc.array(value, { minLength: dim * numRows, maxLength: dim * numRows }),
      }),
    ),
  );

  test("decoded values are within half a step of their column, whatever its range", async () => {
    await fc.assert(
      fc.asyncProperty(matrix, async ({ dim, values }) => {
        const { columns, decoded } = await roundTrip(new DenseFeatureStore(dim, [Float32Array.from(values)]));
        values.forEach((x, i) => {
          const step = columns.scale[i % dim]!;
          // One float32 rounding of the sum is added to the half step.
          const bound = (step / 2) * (1 + 2 ** -15) + Math.abs(decoded[i]!) * 2 ** -24;
          expect(Math.abs(x - decoded[i]!)).toBeLessThanOrEqual(bound);
        });
      }),
      { numRuns: 200 },
    );
  });

  test("a constant column and the least value of every column are exact", async () => {
    const values = [0.1, -7, 0, 0.1, 3, 0, 0.1, 1e30, 5];
    const { columns, decoded } = await roundTrip(new DenseFeatureStore(3, [Float32Array.from(values)]));
    expect([0, 3, 6].map((i) => decoded[i])).toEqual(Array(3).fill(Math.fround(0.1)));
    expect(columns.scale[0]).toBe(0);
    expect([decoded[1], decoded[2], decoded[5]]).toEqual([-7, 0, 0]);
  });

  test("the whole range of float32 fits one column", async () => {
    const most = (2 - 2 ** -23) * 2 ** 127;
    const { columns, decoded } = await roundTrip(new DenseFeatureStore(1, [Float32Array.of(-most, most, 0)]));
    expect(decoded[0]).toBe(-most);
    expect(Math.abs(decoded[1]! - most)).toBeLessThanOrEqual(columns.scale[0]! / 2);
    expect(Math.abs(decoded[2]!)).toBeLessThanOrEqual((columns.scale[0]! / 2) * (1 + 2 ** -15));
  });

  test("codes mean offset + scale · (code + 128), rounded once to float32", () => {
    const dim = 37;
    const float = fc.float({ noNaN: true, noDefaultInfinity: true, min: Math.fround(-1e30), max: Math.fround(1e30) });
    const list = fc.array(float, { minLength: dim, maxLength: dim });
    const codeList = fc.array(fc.integer({ min: -128, max: 127 }), { minLength: dim, maxLength: dim });
    fc.assert(
      fc.property(list, list, codeList, (scales, offsets, codes) => {
        const columns = { scale: Float32Array.from(scales, Math.abs), offset: Float32Array.from(offsets) };
        const rows = new DenseFeatureStore(dim, [Int8Array.from(codes)], columns).gather(Int32Array.of(0));
        const expected = codes.map((code, d) => Math.fround(columns.offset[d]! + columns.scale[d]! * (code + 128)));
        expect([...rows.values]).toEqual(expected);
      }),
      { numRuns: 50 },
    );
  });

  test("the range of a sparse column is that of its stored values, so that columns of ones are exact", async () => {
    const csr = {
      indptr: BigInt64Array.of(0n, 2n, 3n, 5n),
      indices: Int32Array.of(0, 2, 0, 0, 2),
      values: Float32Array.of(1, 10, 1, 1, 20),
    };
    const store = new CsrFeatureStore(4, [csr]);
    const columns = await fitColumnScale(store);
    expect([...columns.offset]).toEqual([1, 0, 10, 0]);
    const values = encodeRows(store.gather(idsOf(3)), idsOf(3), "int8", columns);
    const { values: decoded } = new CsrFeatureStore(4, [{ ...csr, values }], columns).gather(Int32Array.of(2, 0));
    expect([decoded[0], decoded[2], decoded[3]]).toEqual([1, 1, 10]);
    expect(decoded[1]).toBeCloseTo(20, 5);
  });
});

describe("values that a dtype cannot hold are refused with row and column", () => {
  const bad = (value: number): FeatureStore => new DenseFeatureStore(2, [Float32Array.of(0, 1, 2, value, 4, 5)]);
  const csr = (value: number): FeatureStore => {
    const indices = Int32Array.of(0, 3, 1);
    const values = Float32Array.of(1, 2, value);
    return new CsrFeatureStore(5, [{ indptr: BigInt64Array.of(0n, 2n, 2n, 3n), indices, values }]);
  };
  const attempt = async (store: FeatureStore, dtype: FeatureDtype) => {
    const ids = idsOf(3);
    const columns = dtype === "int8" ? await fitColumnScale(store) : null;
    return encodeRows(store.gather(ids), ids, dtype, columns);
  };

  test.each([
    ["fp16", Number.NaN],
    ["fp16", Number.NEGATIVE_INFINITY],
    ["fp16", 65_520],
    ["int8", Number.NaN],
    ["int8", Number.POSITIVE_INFINITY],
  ] as const)("%s: %d", async (dtype, value) => {
    const refusal = { code: "DATASET_VALUE_INVALID" };
    await expect(attempt(bad(value), dtype)).rejects.toMatchObject({
      ...refusal,
      message: expect.stringMatching(/row 1, column 1 /),
    });
    await expect(attempt(csr(value), dtype)).rejects.toMatchObject({
      ...refusal,
      message: expect.stringMatching(/row 2, column 1 /),
    });
  });
});
