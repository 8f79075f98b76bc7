import { loadRegistry } from "@hopwise/gnn-core/spec";
import { describe, expect, it } from "vitest";
import { refusedPlace } from "./support/refused-place.ts";

const registry = await loadRegistry([]);

/** The place that is objected to; null: nothing is. */
function placeOf(changes: object): string | null {
  return refusedPlace({ task: { target: "label" }, model: { type: "rgcn" }, ...changes }, registry);
}

const neighbor = (options: object) => ({ sampling: { type: "neighbor", options: { fanouts: [5, 5], ...options } } });

describe("a model that tells types of edges apart", () => {
  it("runs on draws that keep them, from the whole graph and from parts of it", () => {
    expect(placeOf({ resources: { graph: "partitioned" } })).toBeNull();
    expect(placeOf({ ...neighbor({ perRelation: true }), resources: { graph: "partitioned" } })).toBeNull();
    expect(placeOf({})).toBeNull();
    expect(placeOf({ sampling: { type: "full" } })).toBeNull();
    expect(placeOf({ resources: { device: "cuda" } })).toBeNull();
    expect(placeOf({ task: { type: "graphClassification", target: "label" } })).toBeNull();
    expect(placeOf(neighbor({ perRelation: true, relationFanouts: { cites: [2, 1] } }))).toBeNull();
  });

  it("is refused on draws that do not", () => {
    expect(placeOf({ sampling: { type: "labor", options: { fanouts: [5, 5] } } })).toBe("/sampling/type");
    expect(placeOf(neighbor({ edgeDir: "both" }))).toBe("/sampling/type");
  });
});

describe("fanouts of single relations", () => {
  it("are refused where they would not be read, or have not one number for each hop", () => {
    expect(placeOf(neighbor({ relationFanouts: { cites: [2, 1] } }))).toBe("/sampling/options/relationFanouts");
    expect(placeOf(neighbor({ perRelation: true, relationFanouts: { cites: [2] } }))).toBe(
      "/sampling/options/relationFanouts",
    );
    expect(placeOf({ model: { type: "sage" }, ...neighbor({ perRelation: true, edgeDir: "both" }) })).toBe(
      "/sampling/options/perRelation",
    );
  });
});
