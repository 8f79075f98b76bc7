import { loadRegistry } from "@hopwise/gnn-core/spec";
import { describe, expect, it } from "vitest";
import { type CountedGraph, graphObjection, resolveJobSpec } from "../../src/index.ts";

const registry = await loadRegistry([]);
const graph: CountedGraph = {
  features: { kind: "dense" },
  classes: ["a", "b"],
  splits: { train: 10 },
  weights: null,
};

function objectionTo(changes: object, counted: Partial<CountedGraph> = {}) {
  const input = { version: 1, kind: "train", dataset: "ds_1", task: { target: "label" }, ...changes };
  return graphObjection(resolveJobSpec(input, registry), { ...graph, ...counted }, registry);
}

describe("what a graph that was built cannot be trained on", () => {
  it("is nothing when it has features, classes and nodes to learn from", () => {
    expect(objectionTo({})).toBeNull();
  });

  it("is a job without features, unless they are made, learned or not read", () => {
    const bare = { features: { kind: "none" } } as const;
    expect(objectionTo({}, bare)).toMatchObject({ pointer: "/features/structural" });
    expect(objectionTo({ features: { structural: {} } }, bare)).toBeNull();
    expect(objectionTo({ features: { embedding: {} } }, bare)).toBeNull();
    expect(objectionTo({ task: { type: "fastRp" } }, bare), "random rows are read").toBeNull();
  });

  it("is a column for each node where nodes have features of their own", () => {
    const identity = { features: { structural: { method: "identity" } } };
    expect(objectionTo(identity, { features: { kind: "none" } })).toBeNull();
    for (const kind of ["dense", "csr"] as const) {
      expect(objectionTo(identity, { features: { kind } })?.pointer).toBe("/features/structural/method");
    }
    const placed = { ...identity, resources: { device: "cuda", features: "cached" } };
    expect(objectionTo(placed, { features: { kind: "none" } })?.message).toMatch(/^The features are sparse/);
  });

  it("is features without a place on a device: sparse ones, and those that are learned", () => {
    const asked = { resources: { device: "cuda", features: "cached" }, features: { embedding: {} } };
    expect(objectionTo(asked)).toBeNull();
    const { resources } = asked;
    expect(objectionTo({ resources }, { features: { kind: "csr" } })?.message).toMatch(/^The features are sparse/);
    expect(objectionTo(asked, { features: { kind: "none" } })).toMatchObject({ pointer: "/resources/features" });
    const host = { resources: { device: "cuda", features: "host" } };
    expect(objectionTo(host, { features: { kind: "csr" } })).toBeNull();
  });

  it("is columns or learned rows beside sparse features, unless the model reads no features", () => {
    const sparse = { features: { kind: "csr" } } as const;
    for (const name of ["structural", "embedding"]) {
      const found = objectionTo({ features: { [name]: {} } }, sparse);
      expect(found).toMatchObject({ pointer: `/features/${name}`, message: expect.stringContaining("are sparse") });
      expect(objectionTo({ features: { [name]: {} } })).toBeNull();
    }
    expect(objectionTo({}, sparse)).toBeNull();
    const model = { type: "lightGcn", options: { numHops: 2 } };
    const alone = { task: { type: "linkPrediction" }, model, features: { embedding: {} } };
    expect(objectionTo({ ...alone, sampling: { type: "full" } }, sparse)).toBeNull();
  });

  it("is whole graphs whose nodes have no features, unless columns are made of their degrees", () => {
    const graphs = { numGraphs: 9, classes: ["a", "b"], splits: { train: 5 }, folds: [] };
    const task = { type: "graphClassification", target: "label" };
    for (const kind of ["none", "dense"] as const) {
      const found = objectionTo({ task }, { features: { kind }, graphs });
      if (kind === "dense") expect(found).toBeNull();
      else
        expect(found).toMatchObject({
          pointer: "/features/structural",
          message: expect.stringMatching(/"method": "degree"/),
        });
    }
    const features = { structural: { method: "degree" } };
    expect(objectionTo({ task, features }, { features: { kind: "none" }, graphs })).toBeNull();
  });

  it("is one class, or none, to tell apart", () => {
    expect(objectionTo({}, { classes: ["a"] })?.message).toMatch(/all labelled nodes are of the class "a"/);
    expect(objectionTo({}, { classes: [] })?.message).toMatch(/no node is labelled/);
    expect(objectionTo({ task: { type: "nodeRegression", target: "y" } }, { classes: [] })).toBeNull();
  });

  it("is one type of edge, for models and draws that tell types apart", () => {
    const perRelation = { type: "neighbor", options: { fanouts: [5, 5], perRelation: true } };
    const typed = { edgeTypes: ["cites", "writes"] };
    for (const edgeTypes of [["edge"], undefined]) {
      const found = objectionTo({ model: { type: "rgcn" } }, edgeTypes && { edgeTypes });
      expect(found).toMatchObject({ pointer: "/model/type" });
      expect(found?.message).toMatch(/the graph has no edge types.*\(.*sage.*\)/);
      expect(objectionTo({ sampling: perRelation }, edgeTypes && { edgeTypes })).toMatchObject({
        pointer: "/sampling/options/perRelation",
      });
    }
    expect(objectionTo({ model: { type: "rsage" }, sampling: perRelation }, typed)).toBeNull();
    const options = { ...perRelation.options, relationFanouts: { hates: [1, 1] } };
    expect(objectionTo({ sampling: { type: "neighbor", options } }, typed)).toMatchObject({
      pointer: "/sampling/options/relationFanouts",
      message: 'The graph has no type of edge "hates"; it has cites, writes.',
    });
  });

  it("is a split that marks nothing to learn from; a random one is drawn", () => {
    expect(objectionTo({}, { splits: { train: 0 } })).toMatchObject({ pointer: "/split" });
    expect(objectionTo({ split: { type: "random" } }, { splits: { train: 0 } })).toBeNull();
  });

  it("is a model that divides by sums of weights below zero, and names those that do not", () => {
    const signed = { weights: { column: "rating", numNegative: 3 } };
    const objection = objectionTo({ model: { type: "gcn" } }, signed);
    expect(objection).toMatchObject({ pointer: "/model/type" });
    expect(objection?.message).toMatch(/"rating" are below zero on 3 edges.*\(.*gat.*sage.*\)/);
    expect(objectionTo({ model: { type: "sage" } }, signed)).toBeNull();
    expect(objectionTo({ model: { type: "gcn" } }, { weights: { column: "rating", numNegative: 0 } })).toBeNull();
  });
});
