import { loadRegistry } from "@hopwise/gnn-core/spec";
import { expect, it } from "vitest";
import { refusedPlace } from "./support/refused-place.ts";

const registry = await loadRegistry([]);
const byTime = { type: "linkPrediction", split: { type: "time" } };

/** The place that is objected to; null: nothing is. */
function placeOf(changes: object): string | null {
  const sampling = { type: "temporal", options: { fanouts: [5, 5], pick: "recent" } };
  return refusedPlace({ task: byTime, model: { type: "sage" }, sampling, ...changes }, registry);
}

it("draws from before a link where links are split by time", () => {
  expect(placeOf({})).toBeNull();
  expect(placeOf({ features: { embedding: { dim: 8 } } })).toBeNull();
});

it("is refused where there are no links, or their times do not tell what is held out", () => {
  expect(placeOf({ task: { target: "label" } })).toBe("/sampling/type");
  expect(placeOf({ task: { ...byTime, split: { type: "random" } } })).toBe("/task/split/type");
  expect(placeOf({ task: { ...byTime, split: { type: "given" } } })).toBe("/task/split/type");
});

it("is refused beside columns that all edges are counted in, models of relations, and options that links refuse", () => {
  expect(placeOf({ features: { structural: {} } })).toBe("/features/structural");
  expect(placeOf({ model: { type: "rgcn" } })).toBe("/sampling/type");
  expect(placeOf({ resources: { samplers: 1 } })).toBe("/resources/samplers");
  expect(placeOf({ sampling: { type: "temporal", options: { fanouts: [5] } } })).toBe("/sampling/options/fanouts");
});
