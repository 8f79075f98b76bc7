import { loadRegistry } from "@hopwise/gnn-core/spec";
import { describe, expect, it } from "vitest";
import { uploadedModelOf } from "../../src/index.ts";

const registry = await loadRegistry([]);
const trainedOn = {
  features: { kind: "dense", dim: 2, columns: ["age", "income"] },
  classes: ["a", "b", "c"],
  targets: [],
  directed: false,
  hasWeights: false,
  nodeTypes: ["node"],
  edgeTypes: ["edge"],
  numNodes: 10,
  numEdges: 20,
};
const spec = { task: { target: "label" }, model: { type: "gcn", options: { hiddenFeats: 8 } } };
const typed = {
  ...trainedOn,
  nodeTypes: ["paper", "topic"],
  edgeTypes: ["about", "rev_about"],
  features: {
    kind: "csr",
    dim: 5,
    columns: null,
    types: [
      { name: "paper", dim: 3 },
      { name: "topic", dim: 2 },
    ],
  },
};

const read = (card: object) => uploadedModelOf({ spec, trainedOn, ...card }, registry);
/** As a download gives it, the parts of the spec and of the manifest that do not decide what is computed among them */
const downloaded = () => ({ info: { ...read({}).info, epochs: 7, metrics: { "test/accuracy": 0.5 } } });

describe("the card of an uploaded model", () => {
  it("needs no more than what is computed, on which graph; shape and defaults follow from it", () => {
    const { info, spec: resolved } = read({});
    expect(info).toMatchObject({ shape: { inDim: 2, outDim: 3 }, epochs: 0, metrics: {}, transforms: [] });
    expect(info.model.options).toMatchObject({ hiddenFeats: 8, numLayers: 2 });
    expect(resolved).toMatchObject({ kind: "train", features: { dtype: "fp32" }, model: info.model });
  });

  it("needs no more for a single layer", () => {
    expect(read({ spec: { ...spec, model: { type: "gcn", options: { numLayers: 1 } } } }).info.shape.inDim).toBe(2);
  });

  it("keeps what a downloaded one tells of its training", () => {
    const card = { ...downloaded(), dataset: "ds_1@2", datasetName: "people", stage: "production" };
    expect(read(card)).toMatchObject({
      info: { epochs: 7, metrics: { "test/accuracy": 0.5 } },
      dataset: "ds_1@2",
      datasetName: "people",
    });
  });

  it("has the columns of types, where these have their own", () => {
    const { info, typeDims } = read({ trainedOn: typed, spec: { ...spec, model: { type: "rgcn" } } });
    expect(info.shape).toMatchObject({ inDim: 5, numRelations: 2, numNodeTypes: 2, numLearnedRows: 0 });
    expect(typeDims).toEqual([3, 2]);
  });

  const embedding = { embedding: { dim: 4 } };
  it.each<[string, () => object, string, RegExp]>([
    ["no graph", () => ({ trainedOn: undefined }), "/trainedOn", /./],
    ["a graph without columns", () => ({ trainedOn: { ...trainedOn, features: {} } }), "/trainedOn/features/kind", /./],
    ["a model that nobody has", () => ({ spec: { ...spec, model: { type: "gcm" } } }), "/spec/model/type", /gcm/],
    [
      "an option of another release",
      () => ({ spec: { ...spec, model: { type: "gcn", options: { width: 8 } } } }),
      "/spec/model/options/width",
      /no field of this name/,
    ],
    ["learned rows", () => ({ spec: { ...spec, features: embedding } }), "/spec", /learned row for each node/],
    [
      "whole graphs",
      () => ({ spec: { ...spec, task: { type: "graphClassification", target: "label" } } }),
      "/spec",
      /learnt whole graphs; .* none is uploaded/,
    ],
    ["links", () => ({ spec: { ...spec, task: { type: "linkPrediction" } } }), "/spec", /learnt links/],
    [
      "types without features",
      () => ({
        spec: { ...spec, model: { type: "rgcn" } },
        trainedOn: {
          ...typed,
          features: {
            ...typed.features,
            types: [
              { name: "paper", dim: 5 },
              { name: "topic", dim: 0 },
            ],
          },
        },
      }),
      "/spec",
      /"topic" have no features/,
    ],
    ["a manifest of something else", () => ({ info: { model: "gcn" } }), "/info/model", /./],
    [
      "a manifest of another model",
      () => ({ ...downloaded(), spec: { ...spec, model: { type: "sage" } } }),
      "/info/model",
      /the card's spec has/,
    ],
    [
      "a manifest with other transforms",
      () => ({ info: { ...downloaded().info, transforms: ["standardize"] } }),
      "/info/transforms",
      /found \["standardize"\]; the card's spec has \[\]/,
    ],
    [
      "a manifest of another width",
      () => ({ ...downloaded(), trainedOn: { ...trainedOn, classes: ["a", "b"] } }),
      "/info/shape/outDim",
      /found 3; .* 2/,
    ],
    [
      "a scaling of other targets",
      () => ({ info: { ...downloaded().info, targetScaling: { mean: [1], scale: [1] } } }),
      "/info/targetScaling/mean",
      /found 1/,
    ],
  ])("is refused with its place for %s", (_, card, pointer, message) => {
    const refusal = expect.objectContaining({ code: "MODEL_INVALID", file: "card.json", pointer });
    expect(() => read(card())).toThrowError(
      expect.objectContaining({ problem: refusal, message: expect.stringMatching(message) }),
    );
  });
});
