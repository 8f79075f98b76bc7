import { expect, test } from "vitest";
import { weightsOf } from "../src/services/model-weights.ts";

test("the weights of a model are told with their shapes and how many numbers they have", () => {
  const weights = [
    { name: "layers.0.weight", shape: [6, 8] },
    { name: "layers.0.bias", shape: [8] },
  ];
  expect(weightsOf({ weights })).toEqual([
    { name: "layers.0.weight", shape: "6 × 8", size: 48 },
    { name: "layers.0.bias", shape: "8", size: 8 },
  ]);
});

test("a model that was trained before they were written down has none to show", () => {
  expect(weightsOf({})).toEqual([]);
  expect(weightsOf(null)).toEqual([]);
});
