import fc from "fast-check";
import { expect, test } from "vitest";
import { unchanged } from "../../src/contrast/view.ts";
import { viewFeatures } from "../../src/contrast/view-features.ts";
import { CsrFeatureStore } from "../../src/features/csr-feature-store.ts";
import { DenseFeatureStore } from "../../src/features/dense-feature-store.ts";
import { keyedPermutation } from "../../src/random/keyed-permutation.ts";
import { seededRandom } from "../support/seeded-random.ts";

const key = { seed: 7, epoch: 2, step: 1 };

test("every key gives a permutation of any size, and other keys another one", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 400 }), fc.nat(), (size, seed) => {
      const mapped = Array.from({ length: size }, (_, i) => keyedPermutation(size, seed)(i));
      expect(mapped.toSorted((a, b) => a - b)).toEqual(mapped.map((_, i) => i));
    }),
    { numRuns: 40 },
  );
  const [one, other] = [1, 2].map((step) => Array.from({ length: 100 }, (_, i) => keyedPermutation(100, 3, step)(i)));
  expect(one).not.toEqual(other);
});

test("shuffled rows are the rows of other nodes, each once, whoever asks for which of them", () => {
  const rows = new DenseFeatureStore(2, [Float32Array.from({ length: 60 }, (_, i) => i)]);
  const view = viewFeatures(rows, { ...unchanged, shuffledRows: true }, 1, key);
  const all = view.gather(Int32Array.from({ length: 30 }, (_, i) => i));
  const firsts = Array.from({ length: 30 }, (_, row) => all.values[2 * row]!);
  expect(firsts.toSorted((a, b) => a - b)).toEqual(firsts.map((_, i) => 2 * i));
  expect(firsts.filter((value, node) => value === 2 * node).length).toBeLessThan(5);
  const some = view.gather(Int32Array.of(17, 4));
  expect([...some.values]).toEqual([firsts[17], firsts[17]! + 1, firsts[4], firsts[4]! + 1]);
});

test("masked columns are the same for all nodes, dense or sparse, and about the share asked for", () => {
  const [numRows, dim] = [20, 200];
  const random = seededRandom(3);
  const values = Float32Array.from({ length: numRows * dim }, () => 1 + random());
  const indptr = BigInt64Array.from({ length: numRows + 1 }, (_, row) => BigInt(row * dim));
  const indices = Int32Array.from({ length: numRows * dim }, (_, i) => i % dim);
  const view = { ...unchanged, maskedColumns: 0.3 };
  const ids = Int32Array.from({ length: numRows }, (_, i) => i);
  const dense = viewFeatures(new DenseFeatureStore(dim, [values]), view, 0, key).gather(ids).values;
  const sparse = viewFeatures(new CsrFeatureStore(dim, [{ indptr, indices, values }]), view, 0, key);
  expect([...sparse.gather(ids).values]).toEqual([...dense]);
  const masked = Array.from({ length: dim }, (_, column) => ids.every((row) => dense[row * dim + column] === 0));
  const share = masked.filter(Boolean).length / dim;
  expect(share).toBeGreaterThan(0.2);
  expect(share).toBeLessThan(0.4);
  for (const [i, value] of dense.entries()) expect(value).toBe(masked[i % dim] ? 0 : values[i]);
});
