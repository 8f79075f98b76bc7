import { expect, test } from "vitest";
import { GradientBucket } from "../../src/train/gradient-bucket.ts";

const variables = [
  { name: "weight", shape: [2, 2] },
  { name: "bias", shape: [2] },
];

function filled(weightSum: number): GradientBucket {
  const bucket = new GradientBucket(variables);
  bucket.gradient.set([1, 2, 2, 0, 4, 0]);
  bucket.sums = { lossSum: 6, weightSum, hits: 1, trials: 2 };
  return bucket;
}

test("variables lie in order, the sums behind them, and one array carries both", () => {
  const bucket = filled(4);
  expect([...bucket.values]).toEqual([1, 2, 2, 0, 4, 0, 6, 4, 1, 2, 0]);
  expect(bucket.gradient).toHaveLength(2 * 2 + 2);
});

test("dividing makes the gradient that of the mean and leaves the sums", () => {
  const bucket = filled(4);
  bucket.divide();
  expect([...bucket.gradient]).toEqual([1 / 4, 2 / 4, 2 / 4, 0, 4 / 4, 0]);
  expect(bucket.sums).toEqual({ lossSum: 6, weightSum: 4, hits: 1, trials: 2 });
});

test("clipping shortens a long gradient to the norm and leaves a short one", () => {
  const bucket = filled(1);
  expect(bucket.norm()).toBe(5); // √(1 + 4 + 4 + 16)
  bucket.clip(5, 10);
  expect(bucket.norm()).toBe(5);
  bucket.clip(5, 2.5);
  expect([...bucket.gradient]).toEqual([0.5, 1, 1, 0, 2, 0]);
});

test("the first bad tensor is named, variables before the loss", () => {
  const bucket = filled(1);
  expect(bucket.firstNonFinite()).toBeNull();
  bucket.sums = { ...bucket.sums, lossSum: Number.NaN };
  expect(bucket.firstNonFinite()).toBe("the loss");
  bucket.gradient[5] = Number.POSITIVE_INFINITY;
  expect(bucket.firstNonFinite()).toBe("the gradient of bias");
});

test("a stop asked for by one rank is seen in the sum of all, and zero takes it back", () => {
  const a = filled(1);
  const b = filled(1);
  a.requestStop();
  for (let i = 0; i < b.values.length; i++) b.values[i] = (a.values[i] as number) + (b.values[i] as number);
  expect(b.isStopRequested).toBe(true);
  b.zero();
  expect([b.isStopRequested, b.norm()]).toEqual([false, 0]);
});
