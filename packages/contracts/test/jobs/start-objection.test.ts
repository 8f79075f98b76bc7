import { loadRegistry } from "@hopwise/gnn-core/spec";
import { describe, expect, it } from "vitest";
import { type GraphForm, resolveJobSpec, startObjection } from "../../src/index.ts";

const registry = await loadRegistry([]);
const form: GraphForm = {
  features: { kind: "dense", dim: 2, columns: ["age", "income"], types: null },
  classes: ["a", "b"],
  targets: [],
  directed: false,
  hasWeights: false,
  nodeTypes: ["node"],
  edgeTypes: ["edge"],
  numNodes: 10,
  numEdges: 20,
};
const specOf = (changes: object = {}) =>
  resolveJobSpec({ version: 1, kind: "train", dataset: "ds_1", task: { target: "label" }, ...changes }, registry);

/** @param model the spec that the kept model was trained by */
function objectionTo(asked: object, model: object = {}, graph: Partial<GraphForm> = {}) {
  const spec = specOf({ startFrom: { model: "papers" }, ...asked });
  return startObjection(spec, { ...specOf(), ...model }, form, { weights: null, ...form, ...graph }, registry);
}

describe("a training starts from a kept model", () => {
  it("of the same settings, on a graph with more nodes and the same classes", () => {
    expect(objectionTo({}, {}, { numNodes: 11 })).toBeNull();
  });

  it("whose spec has its keys in another order, as a database keeps them", () => {
    const structural = { structural: { dim: 16, hops: 2 } };
    const { features } = specOf({ features: structural });
    const turned = Object.fromEntries(Object.entries(features.structural ?? {}).toReversed());
    // Made columns are refused in the end, but not as if they were others.
    const found = objectionTo({ features: structural }, { features: { ...features, structural: turned } });
    expect(found?.pointer).toBe("/startFrom/model");
    const other = { ...features.structural, dim: 8 };
    expect(objectionTo({ features: structural }, { features: { ...features, structural: other } })?.pointer).toBe(
      "/features/structural",
    );
  });

  it("and not with other classes, unless the outputs begin anew", () => {
    expect(objectionTo({}, {}, { classes: ["b", "a"] })).toMatchObject({
      pointer: "/startFrom/layers",
      message: expect.stringMatching(/has the class "a" where the graph has "b"/),
    });
    const hidden = { startFrom: { model: "papers", layers: "hidden" } };
    expect(objectionTo(hidden, {}, { classes: ["b", "a", "c"] })).toBeNull();
  });
});
