import { loadRegistry } from "@hopwise/gnn-core/spec";
import { describe, expect, it } from "vitest";
import { countFrozen, freezeObjection, type GraphForm, resolveJobSpec, startObjection } from "../../src/index.ts";

const registry = await loadRegistry([]);
const form: GraphForm = {
  features: { kind: "dense", dim: 2, columns: ["age", "income"], types: null, blocks: null },
  classes: ["a", "b"],
  targets: [],
  directed: false,
  hasWeights: false,
  nodeTypes: ["node"],
  edgeTypes: ["edge"],
  numNodes: 10,
  numEdges: 20,
  setOfGraphs: null,
  labelledEdges: null,
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

it("no training starts from a model of whole graphs, nor from half of one", () => {
  const { task } = specOf({ task: { type: "graphClassification", target: "label" } });
  for (const layers of ["all", "hidden"]) {
    expect(objectionTo({ startFrom: { model: "rings", layers } }, { task })).toMatchObject({
      pointer: "/startFrom/model",
      message: expect.stringMatching(/learnt whole graphs; .* no training starts from one/),
    });
  }
});

describe("layers that a training freezes", () => {
  const weights = [
    { name: "layers.0.weight", shape: [2, 8] },
    { name: "layers.0.bias", shape: [8] },
    { name: "layers.10.weight", shape: [8, 2] },
  ];
  const frozen = (freeze: string[], model: object = {}) => specOf({ startFrom: { model: "papers", freeze }, model });

  it("are named whole, or weight by weight", () => {
    expect(freezeObjection(frozen(["layers.0"]), weights)).toBeNull();
    expect(countFrozen(frozen(["layers.0"]), weights)).toBe(2 * 8 + 8);
    expect(countFrozen(frozen(["layers.0.bias"]), weights)).toBe(8);
    expect(countFrozen(frozen([]), weights)).toBe(0);
  });

  it("are not named by half a name, as layer 1 is not layer 10", () => {
    expect(freezeObjection(frozen(["layers.0", "layers.1"]), weights)).toMatchObject({
      pointer: "/startFrom/freeze/1",
      message: expect.stringMatching(/"layers\.1"; there are layers\.0\.weight, layers\.0\.bias, layers\.10\.weight/),
    });
  });

  it("leave something to learn", () => {
    expect(freezeObjection(frozen(["layers.0", "layers.10"]), weights)?.pointer).toBe("/startFrom/freeze");
  });

  it("are not those whose running averages would move on", () => {
    const model = { type: "sage", options: { norm: "batch" } };
    expect(freezeObjection(frozen(["layers.0"], model), weights)).toMatchObject({
      pointer: "/startFrom/freeze",
      message: expect.stringMatching(/"norm": "layer"/),
    });
  });

  it("of a model whose weights nobody wrote down are for its training to judge", () => {
    expect(freezeObjection(frozen(["conv.3"]), [])).toBeNull();
  });
});
