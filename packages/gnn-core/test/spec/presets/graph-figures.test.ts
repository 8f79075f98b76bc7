import { expect, test } from "vitest";
import { figuresOf, type GraphInfo, graphInfo } from "../../../src/spec/index.ts";

const info = (changed: Partial<GraphInfo>): GraphInfo =>
  graphInfo.parse({
    numNodes: 100,
    numEdges: 400,
    idType: "int64",
    directed: true,
    features: { kind: "dense", dim: 3, values: "any", numNonZero: 300 },
    classes: ["a", "b"],
    splits: { train: 20, val: 10, test: 10, none: 60 },
    labelCounts: [
      { label: "a", count: 30 },
      { label: "b", count: 20 },
    ],
    degreeHistogram: { edges: [0, 1], counts: [100] },
    homophily: { edges: 200, same: 150, expected: 0.52 },
    report: {
      rowsRead: 500,
      nodeRows: 100,
      edgeRows: 400,
      duplicateEdges: 0,
      selfLoops: 0,
      danglingIds: 0,
      isolatedNodes: 0,
      badRows: [],
      warnings: [],
    },
    ...changed,
  });
const noSplit = { train: 0, val: 0, test: 0, none: 100 };

test("figures are those that ingest counted", () => {
  expect(figuresOf(info({}))).toEqual({
    numNodes: 100,
    numEdges: 400,
    features: { dim: 3, values: "any" },
    numClasses: 2,
    numTrain: 20,
    homophily: { share: 0.75, expected: 0.52 },
  });
});

test("without a split, the training nodes are those of a random one: 60 % of 50 labelled", () => {
  expect(figuresOf(info({ splits: noSplit })).numTrain).toBe(30);
});

test("nodes of several labels are not counted more often than there are nodes", () => {
  const labelCounts = [
    { label: "a", count: 90 },
    { label: "b", count: 80 },
  ];
  expect(figuresOf(info({ splits: noSplit, multiLabel: true, labelCounts })).numTrain).toBe(60);
});

test("where numbers are predicted, nodes with a number count", () => {
  const targets = [{ name: "age", count: 40, mean: 1, deviation: 1, min: 0, max: 2 }];
  const figures = figuresOf(info({ splits: noSplit, classes: [], labelCounts: [], targets }));
  expect(figures).toMatchObject({ numClasses: 0, numTrain: 24 });
});

test("graphs of earlier versions lack values and homophily", () => {
  const { homophily: _, ...earlier } = info({ features: { kind: "csr", dim: 3, numValues: 9 } });
  expect(figuresOf(earlier)).toMatchObject({ features: { dim: 3, values: null }, homophily: null });
});

test("homophily of a handful of edges is not relied on", () => {
  expect(figuresOf(info({ homophily: { edges: 99, same: 1, expected: 0.5 } })).homophily).toBeNull();
});
