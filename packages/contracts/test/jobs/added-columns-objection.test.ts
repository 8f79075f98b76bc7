import { loadRegistry } from "@hopwise/gnn-core/spec";
import { expect, it } from "vitest";
import { refusedPlace } from "./support/refused-place.ts";

const registry = await loadRegistry([]);
const learned = { embedding: { dim: 8 } };
const made = { structural: {} };
const label = { target: "label" };
const inductive = { ...label, inductive: true };

/** The place that is objected to; null: nothing is. */
const placeOf = (changes: object) => refusedPlace({ task: label, ...changes }, registry);

it("learned rows and columns made from the edges suit a usual job, and inductive training has neither", () => {
  expect(placeOf({ features: learned })).toBeNull();
  expect(placeOf({ features: made })).toBeNull();
  expect(placeOf({ task: inductive })).toBeNull();
  expect(placeOf({ task: inductive, features: learned })).toBe("/features/embedding");
  expect(placeOf({ task: inductive, features: made })).toBe("/features/structural");
});

it("a column for each node stands alone, without learned rows", () => {
  const identity = { structural: { method: "identity" } };
  expect(placeOf({ features: identity })).toBeNull();
  expect(placeOf({ features: { ...identity, ...learned } })).toBe("/features/embedding");
  expect(placeOf({ features: { ...made, ...learned } })).toBeNull();
});

it("learned rows are refused beside a sampler that keeps what it has read, unless the model has no hops", () => {
  const sampling = { type: "controlVariate" };
  expect(placeOf({ sampling, model: { type: "sage" } })).toBeNull();
  expect(placeOf({ sampling, model: { type: "sage" }, features: learned })).toBe("/features/embedding");
  expect(placeOf({ sampling, model: { type: "mlp" }, features: learned })).toBeNull();
});

it("learned rows are refused beside batch normalisation, and not beside layer normalisation", () => {
  const model = (norm: string) => ({ type: "sage", options: { norm } });
  expect(placeOf({ model: model("batch") })).toBeNull();
  expect(placeOf({ model: model("batch"), features: learned })).toBe("/features/embedding");
  expect(placeOf({ model: model("layer"), features: learned })).toBeNull();
});
