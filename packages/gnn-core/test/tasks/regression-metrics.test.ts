import { expect, test } from "vitest";
import { meanAbsoluteError, meanSquaredError } from "../../src/tasks/regression-metrics.ts";

const predictions = Float32Array.of(1, 2, 5, 0);
const targets = Float32Array.of(3, 2, 1, Number.NaN); // errors −2, 0, 4; the last is unlabelled

test("errors are averaged over the labelled rows", () => {
  expect(meanAbsoluteError(predictions, targets)).toBe((2 + 0 + 4) / 3);
  expect(meanSquaredError(predictions, targets)).toBe((4 + 0 + 16) / 3);
});

test("without labelled rows there is no error", () => {
  expect(meanAbsoluteError(predictions, new Float32Array(4).fill(Number.NaN))).toBeNull();
});
