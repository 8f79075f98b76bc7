import { loadRegistry } from "@hopwise/gnn-core/spec";
import { describe, expect, it } from "vitest";
import { classesLearnt, type GraphForm, modelObjection, resolveInferSpec, resolveJobSpec } from "../../src/index.ts";

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
const graphsTask = { task: { type: "graphClassification", target: "label" } };
const edgesTask = { task: { type: "edgeClassification", target: "kind" } };
const edgesWith = (changes: object = {}) => ({
  labelledEdges: {
    relation: null,
    classes: ["fraud", "fine"],
    targets: [],
    featureDim: 1,
    features: ["amount"],
    directed: true,
    ...changes,
  },
});
const someGraphs = { setOfGraphs: { numGraphs: 5, classes: ["toxic", "harmless"], targets: [] } };

type Weights = { readonly weights?: { readonly column: string; readonly numNegative: number } };

function objectionTo(graph: Partial<GraphForm> & Weights, trained: Partial<GraphForm> = {}, spec: object = {}) {
  const input = { version: 1, kind: "train", dataset: "ds_1", task: { target: "label" }, ...spec };
  return modelObjection(
    resolveJobSpec(input, registry),
    { ...form, ...trained },
    { weights: null, ...form, ...graph },
    registry,
  );
}

const features = (changes: Partial<GraphForm["features"]>) => ({ features: { ...form.features, ...changes } });

/** Columns of two types side by side */
const sparse = (paper: number, topic: number): GraphForm["features"] => ({
  kind: "csr",
  dim: 6,
  columns: null,
  types: [
    { name: "paper", dim: paper },
    { name: "topic", dim: topic },
  ],
  blocks: null,
});
const typed = { features: sparse(6, 0), edgeTypes: ["about", "rev_about"] };

describe("a model is applied to a graph other than its own", () => {
  it("when the graph has more nodes and edges, other classes and other numbers to predict", () => {
    expect(objectionTo({ numNodes: 11, numEdges: 40, classes: ["b", "c"], targets: ["y"] })).toBeNull();
  });

  it("when the features come from a matrix of the same width, whose columns have no names", () => {
    expect(objectionTo(features({ columns: null }))).toBeNull();
  });

  it.each<[string, Parameters<typeof objectionTo>, "/dataset" | "/model", RegExp]>([
    [
      "no features",
      [features({ kind: "none", dim: 0, columns: null })],
      "/dataset",
      /reads dense features and .* no node/,
    ],
    ["sparse features", [features({ kind: "csr", columns: null })], "/dataset", /the graph has sparse features/],
    ["another width", [features({ dim: 3, columns: null })], "/dataset", /reads 2 feature columns and the graph has 3/],
    ["a missing column", [features({ dim: 1, columns: ["age"] })], "/dataset", /lacks "income"/],
    ["a further column", [features({ columns: ["age", "income", "zip"] })], "/dataset", /trained without "zip"/],
    [
      "another order",
      [features({ columns: ["income", "age"] })],
      "/dataset",
      /reads "age" where the graph has "income"/,
    ],
    ["a new type of nodes", [{ nodeTypes: ["author", "node"] }], "/dataset", /knows no nodes of the type "author"/],
    ["other types of edges", [{ edgeTypes: ["cites"] }], "/dataset", /the graph has none of these, but "cites"/],
    ["directed edges", [{ directed: true }], "/dataset", /trained on undirected edges/],
    [
      "weights that gcn would count",
      [{ hasWeights: true }, {}, { model: { type: "gcn" } }],
      "/dataset",
      /without weights/,
    ],
    [
      "no weights where gcn counted some",
      [{}, { hasWeights: true }, { model: { type: "gcn" } }],
      "/dataset",
      /has none/,
    ],
    [
      "weights below zero",
      [
        { hasWeights: true, weights: { column: "rating", numNegative: 3 } },
        { hasWeights: true },
        { model: { type: "gcn" } },
      ],
      "/dataset",
      /"rating" are below zero on 3 edges/,
    ],
    [
      "any edges, with columns made of them",
      [{}, {}, { features: { structural: {} } }],
      "/model",
      /made from the edges/,
    ],
    [
      "any nodes, with a column for each",
      [{}, {}, { features: { structural: { method: "identity" } } }],
      "/model",
      /a column for each node that it was trained on/,
    ],
    [
      "a type with other columns",
      [{ features: sparse(1, 5) }, { features: sparse(4, 2) }],
      "/dataset",
      /reads 4 feature columns of nodes of the type "paper"/,
    ],
    [
      "one graph, with whole graphs learnt",
      [{}, someGraphs, graphsTask],
      "/dataset",
      /learnt whole graphs, and the dataset is one graph; map the graph of every node/,
    ],
    [
      "any graphs, with classes that were not written down",
      [someGraphs, {}, graphsTask],
      "/model",
      /without the classes of its graphs; keep the model of its job under another name/,
    ],
    [
      "graphs whose nodes have other columns",
      [{ ...someGraphs, ...features({ dim: 3, columns: null }) }, someGraphs, graphsTask],
      "/dataset",
      /reads 2 feature columns and the graph has 3/,
    ],
    [
      "edges without labels, with labels of edges learnt",
      [{}, edgesWith(), edgesTask],
      "/dataset",
      /learnt labels of edges, and the dataset has none; map the column of the label, whose cells may all be empty/,
    ],
    [
      "any edges, with classes that were not written down",
      [edgesWith(), {}, edgesTask],
      "/model",
      /without the classes of its edges; train it again/,
    ],
    [
      "labels of another relation",
      [edgesWith({ relation: "user likes film" }), edgesWith({ relation: "user rates film" }), edgesTask],
      "/dataset",
      /learnt labels of "user rates film", and the dataset has those of "user likes film"/,
    ],
    [
      "labelled edges whose two ends are alike",
      [edgesWith({ directed: false }), edgesWith(), edgesTask],
      "/dataset",
      /tells the two ends of an edge apart, and the edges with labels are undirected/,
    ],
    [
      "other features of edges",
      [edgesWith({ features: ["price"] }), edgesWith(), edgesTask],
      "/dataset",
      /reads "amount" of each edge and the graph has "price"/,
    ],
    [
      "more features of edges",
      [edgesWith({ featureDim: 3, features: null }), edgesWith(), edgesTask],
      "/dataset",
      /reads "amount" of each edge and the graph has 3 columns/,
    ],
    ["no edges", [{ numEdges: 0 }, {}, { task: { type: "linkPrediction" } }], "/dataset", /learnt links.* has none/],
  ])("and refused for %s, with the place", (_name, asked, pointer, message) => {
    const objection = objectionTo(...asked);
    expect(objection?.pointer).toBe(pointer);
    expect(objection?.message).toMatch(message);
  });

  it("when it is a set of graphs of other classes, or of none, and whole graphs were learnt", () => {
    for (const classes of [[], ["toxic", "deadly", "harmless"]]) {
      const graphs = { setOfGraphs: { numGraphs: 9, classes, targets: ["y"] } };
      expect(objectionTo(graphs, someGraphs, graphsTask)).toBeNull();
    }
  });

  it("when its edges have other classes, and features that the model does not read", () => {
    expect(objectionTo(edgesWith({ classes: [] }), edgesWith(), edgesTask)).toBeNull();
    const unread = { task: { ...edgesTask.task, edgeFeatures: false } };
    expect(objectionTo(edgesWith({ featureDim: 0, features: [] }), edgesWith(), unread)).toBeNull();
  });

  it("and its outputs count what was learnt: classes of whole graphs, or of nodes", () => {
    const specOf = (task: object) => resolveJobSpec({ version: 1, kind: "train", dataset: "ds_1", ...task }, registry);
    const trained = { ...form, ...someGraphs };
    expect(classesLearnt(specOf(graphsTask), trained, registry)).toEqual(["toxic", "harmless"]);
    expect(classesLearnt(specOf({ task: { target: "label" } }), trained, registry)).toEqual(["a", "b"]);
  });

  it("when the model has learned rows, of all nodes or of those of a type: they are found by id", () => {
    expect(objectionTo({ numNodes: 11 }, {}, { features: { embedding: {} } })).toBeNull();
    expect(objectionTo(typed, typed, { model: { type: "rsage" } })).toBeNull();
  });

  it("when a type has no features, and the model reads its nodes as rows of zeros", () => {
    expect(objectionTo(typed, typed, { model: { type: "sage" } })).toBeNull();
  });

  it("whatever the weights of edges are, where the model does not count them", () => {
    expect(objectionTo({ hasWeights: true }, {}, { model: { type: "sage" } })).toBeNull();
  });
});

describe("the spec of a job that applies a model", () => {
  const spec = { version: 1, kind: "infer", model: "papers@3", dataset: "ds_1" };

  it("has a default for everything but model and dataset", () => {
    const { model, resources, outputs, partition } = resolveInferSpec(spec, registry);
    expect({ model, ranks: resources.ranks, formats: outputs.embeddings.formats, cut: partition.type }).toEqual({
      model: "papers@3",
      ranks: 1,
      formats: ["parquet"],
      cut: "metis",
    });
  });

  it.each([
    ["the name of a model", { model: "@3" }, "/model"],
    ["what only training has", { train: {} }, "/train"],
    ["sampler processes", { resources: { samplers: 1 } }, "/resources/samplers"],
    ["a partitioner that there is", { partition: { type: "scissors" } }, "/partition/type"],
    ["fewer ranks at least than at most", { resources: { minRanks: 2 } }, "/resources/minRanks"],
  ])("is refused with its place where it breaks the rule: %s", (_name, change, pointer) => {
    expect(() => resolveInferSpec({ ...spec, ...change }, registry)).toThrow(
      expect.objectContaining({ problem: expect.objectContaining({ code: "JOB_SPEC_INVALID", pointer }) }),
    );
  });
});
