import { loadRegistry } from "@hopwise/gnn-core/spec";
import { describe, expect, it } from "vitest";
import {
  type GraphForm,
  hasLearnedRows,
  matchedRowsText,
  resolveJobSpec,
  rowsBesideWeightsObjection,
  startObjection,
  unnamedRowsObjection,
} from "../../src/index.ts";

const registry = await loadRegistry([]);
const types = [
  { name: "paper", dim: 2 },
  { name: "topic", dim: 0 },
];
const form = (changes: Partial<GraphForm>): GraphForm => ({
  features: { kind: "csr", dim: 2, columns: null, types, blocks: null },
  classes: ["a", "b"],
  targets: [],
  directed: false,
  hasWeights: false,
  nodeTypes: ["paper", "topic"],
  edgeTypes: ["about", "rev_about"],
  numNodes: 10,
  numEdges: 20,
  setOfGraphs: null,
  labelledEdges: null,
  ...changes,
});
const plain = form({
  features: { kind: "dense", dim: 2, columns: null, types: null, blocks: null },
  edgeTypes: ["edge"],
});
const spec = (more: object) =>
  resolveJobSpec({ version: 1, kind: "train", dataset: "ds_1", task: { target: "label" }, ...more }, registry);

describe("learned rows of a model", () => {
  it.each<[string, object, GraphForm, RegExp | null]>([
    ["a row for each node", { features: { embedding: {} } }, plain, /a learned row for each node/],
    [
      "a row for each node of a type",
      { model: { type: "rsage" } },
      form({}),
      /of the type "topic" have no features, so the model has a learned row/,
    ],
    ["none where the model reads types as rows of zeros", { model: { type: "sage" } }, form({}), null],
    ["none where all types have features", { model: { type: "rsage" } }, form({ features: plain.features }), null],
    ["none where edges are alike", { model: { type: "sage" } }, plain, null],
  ])("are %s: refused where nobody says whose they are, to start from, and in an upload", (_what, more, on, says) => {
    const trained = spec(more);
    expect(hasLearnedRows(trained, on, registry)).toBe(says !== null);
    for (const objection of [unnamedRowsObjection, rowsBesideWeightsObjection]) {
      const found = objection(trained, on, registry);
      if (says === null) expect(found).toBeNull();
      else expect(found).toMatch(says);
    }
    const started = spec({ ...more, startFrom: { model: "papers" } });
    const graph = { ...on, weights: null };
    const found = startObjection(started, trained, on, graph, registry);
    if (says === null) expect(found).toBeNull();
    else expect(found).toMatchObject({ pointer: "/startFrom/model", message: expect.stringMatching(says) });
  });
});

describe("the sentence about nodes without a learned row", () => {
  it.each([
    [
      { numUnseen: 0, unseenIds: [], withoutRow: "features" },
      "The model has a learned row of every node that takes one.",
    ],
    [
      { numUnseen: 1, unseenIds: ["p1"], withoutRow: "features" },
      "The model has no learned row of 1 node (p1). What comes of such a node is computed from features and neighbours, with zeros in place of the learned row.",
    ],
    [
      { numUnseen: 7, unseenIds: ["a", "b", "c", "d", "e"], withoutRow: "neighbors" },
      "The model has no learned row of 7 nodes (a, b, c, d, e, …). What comes of such a node is computed from the neighbours alone, with zeros in place of a row of its own.",
    ],
    [
      { numUnseen: 2, unseenIds: ["x".repeat(50), "y"], withoutRow: "nothing" },
      `The model has no learned row of 2 nodes (${"x".repeat(40)}…, y). What comes of such a node is zeros, for the model reads nothing else of a node.`,
    ],
  ] as const)("says of %o how many, which, and what comes of them", (info, text) => {
    expect(matchedRowsText({ ...info, unseenIds: [...info.unseenIds] })).toBe(text);
  });
});
