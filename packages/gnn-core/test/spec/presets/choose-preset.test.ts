import fc from "fast-check";
import { expect, test } from "vitest";
import {
  choosePreset,
  type GraphFigures,
  jobPresets,
  situationBounds,
  trainStepOptions,
} from "../../../src/spec/index.ts";

const share = fc.double({ min: 0, max: 1, noNaN: true });
const anyFigures: fc.Arbitrary<GraphFigures> = fc.record({
  numNodes: fc.nat(3_000_000),
  numEdges: fc.nat(100_000_000),
  features: fc.record({
    dim: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 10_000 })),
    values: fc.constantFrom("binary", "nonNegative", "any", null),
  }),
  numClasses: fc.nat(300),
  numTrain: fc.nat(1_000_000),
  homophily: fc.option(fc.record({ share, expected: share })),
});

const cora: GraphFigures = {
  numNodes: 2708,
  numEdges: 10_556,
  features: { dim: 1433, values: "binary" },
  numClasses: 7,
  numTrain: 140,
  homophily: { share: 0.81, expected: 0.18 },
};

test("every graph gets a valid preset of the catalogue, all others after it, those for its situation first, and a reason", () => {
  fc.assert(
    fc.property(anyFigures, (figures) => {
      const { preset, others, reason } = choosePreset(figures);
      const all = [preset, ...others];
      expect(new Set(all.map(({ name }) => name))).toEqual(new Set(jobPresets.map(({ name }) => name)));
      expect(all).toHaveLength(jobPresets.length);
      const isSuited = all.map(({ situation }) => situation === preset.situation);
      expect(isSuited.lastIndexOf(true)).toBeLessThan(Math.max(isSuited.indexOf(false), 1));
      for (const { spec } of all) trainStepOptions.parse({ ...spec, task: { target: "label" } });
      expect(reason).toMatch(/^[^.]+(\.\d[^.]*)*\. [A-Z][^.]+\.$/);
    }),
  );
});

test("the same figures always give the same preset", () => {
  fc.assert(
    fc.property(anyFigures, (figures) => {
      expect(choosePreset(structuredClone(figures))).toEqual(choosePreset(figures));
    }),
  );
});

test("the quick look is never proposed", () => {
  fc.assert(fc.property(anyFigures, (figures) => choosePreset(figures).preset.situation !== "quick"));
});

test("a graph without features is only given presets that make columns from its edges, learn rows, or read neither", () => {
  fc.assert(
    fc.property(anyFigures, (figures) => {
      const { preset, others } = choosePreset({ ...figures, features: { dim: 0, values: null } });
      for (const { spec } of [preset, ...others])
        expect(spec.features?.structural ?? spec.features?.embedding ?? spec.task?.type === "fastRp").toBeTruthy();
    }),
  );
});

test("many relations without features have a column for each node first, where those are not too many", () => {
  const relations: GraphFigures = { ...cora, features: { dim: 0, values: null }, types: { nodes: 1, relations: 46 } };
  const first = choosePreset(relations).preset;
  expect(first.spec.features?.structural?.method).toBe("identity");
  for (const other of [
    { ...relations, numNodes: 190_000 * 2, numEdges: 1e6 },
    { ...relations, features: cora.features },
  ]) {
    const { preset, others } = choosePreset(other, { type: "nodeClassification", seeds: "nodes", options: {} });
    expect(preset.name).not.toBe(first.name);
    for (const { spec } of [preset, ...others]) expect(spec.features?.structural?.method).not.toBe("identity");
  }
});

test("the reason names the graph's figures", () => {
  expect(choosePreset(cora).reason).toBe(
    "2,708 nodes of mean degree 3.9; 20 training nodes for each of 7 classes; 81 % of edges join one class " +
      "(18 % by chance); 1,433 feature columns of zeros and ones. " +
      "Few labels among neighbours that are alike: whole neighbourhoods, a strong penalty, many epochs.",
  );
});

test("every figure that decides stands in the reason", () => {
  const { reason } = choosePreset({ ...cora, numNodes: 987_654, features: { dim: 0, values: null } });
  expect(reason).toContain("987,654 nodes");
  expect(reason).toContain("no features");
});

const { fewLabelsPerClass: few, manyNeighbors, unlikeNeighbors, largeNodes } = situationBounds;
/** Expected share by chance ½, so the adjusted homophily is 2 · share − 1. */
const alike = (adjusted: number) => ({ share: (adjusted + 1) / 2, expected: 0.5 });

test.each<readonly [string, Partial<GraphFigures>]>([
  ["few-labels", {}],
  ["few-labels", { numTrain: 7 * few }],
  ["few-labels", { numEdges: manyNeighbors * 2708 - 1 }],
  ["few-labels-dense", { numEdges: manyNeighbors * 2708 }],
  ["many-labels", { numTrain: 7 * few + 7 }],
  ["many-labels", { numTrain: 2000, homophily: null }],
  ["many-labels", { numTrain: 2000, homophily: alike(unlikeNeighbors + 0.01) }],
  ["unlike-neighbors", { numTrain: 2000, homophily: alike(unlikeNeighbors - 0.01) }],
  ["unlike-neighbors", { homophily: alike(-0.5) }],
  ["no-features", { numTrain: 2000, features: { dim: 0, values: null } }],
  ["few-labels-no-features", { features: { dim: 0, values: null } }],
  ["large", { numNodes: largeNodes + 1, numTrain: 100_000 }],
  ["large", { numEdges: 30_000_000, numTrain: 100_000 }],
  ["large-few-labels", { numNodes: largeNodes + 1 }],
  ["no-labels", { numClasses: 0, numTrain: 0, features: { dim: 0, values: null } }],
  ["no-labels", { numNodes: largeNodes + 1, numClasses: 0, numTrain: 0 }],
  ["large-no-labels", { numNodes: largeNodes + 1, numClasses: 0, numTrain: 0, features: { dim: 0, values: null } }],
  ["very-few-labels", { numTrain: 4 * 7 }],
  ["few-labels", { numTrain: 5 * 7 }],
  // Numbers to predict: training nodes in all.
  ["many-labels", { numClasses: 0, numTrain: 2000, homophily: null }],
])("%s: Cora with %j", (situation, changed) => {
  expect(choosePreset({ ...cora, ...changed }).preset.situation).toBe(situation);
});

test.each([
  { dim: 1433, values: "binary" },
  { dim: 500, values: "nonNegative" },
] as const)("words of %j are read as shares of a row, and as they are where labels are plenty", (features) => {
  const transformsOf = (numTrain: number) =>
    choosePreset({ ...cora, numTrain, features }).preset.spec.features?.transforms;
  expect(transformsOf(140)).toEqual(["rowNormalize"]);
  expect(transformsOf(2000)).toEqual([]);
});

test("half of the columns of wide rows of numbers are dropped where labels are plenty, and none of words", () => {
  const inputDropout = (numTrain: number, features: GraphFigures["features"]) => {
    const { model } = choosePreset({ ...cora, numTrain, features }).preset.spec;
    return (model?.options as { inputDropout?: number } | undefined)?.inputDropout;
  };
  expect(inputDropout(2000, { dim: 602, values: "any" })).toBe(0.5);
  expect(inputDropout(2000, { dim: 602, values: "binary" })).toBe(0);
  expect(inputDropout(2000, { dim: 10, values: "any" })).toBe(0);
  expect(inputDropout(140, { dim: 602, values: "any" })).toBeUndefined();
});

test.each([
  ["standardize", { dim: 10, values: "nonNegative" }],
  ["standardize", { dim: 500, values: "any" }],
  ["standardize", { dim: 500, values: null }],
] as const)("%s for features of %j, whatever the preset", (transform, features) => {
  for (const numTrain of [140, 2000]) {
    expect(choosePreset({ ...cora, numTrain, features }).preset.spec.features?.transforms).toEqual([transform]);
  }
});
