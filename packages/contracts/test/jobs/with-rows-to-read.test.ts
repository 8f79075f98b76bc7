import { loadRegistry } from "@hopwise/gnn-core/spec";
import { expect, it } from "vitest";
import { addedRowsNote, graphObjection, resolveJobSpec, withRowsToRead } from "../../src/index.ts";

const registry = await loadRegistry([]);
const bare = { features: { kind: "none" }, classes: ["a", "b"], splits: { train: 10 }, weights: null } as const;
const links = { type: "linkPrediction" };

const resolved = (changes: object) =>
  resolveJobSpec({ version: 1, kind: "train", dataset: "ds_1", task: { target: "label" }, ...changes }, registry);
const fitted = (changes: object) => withRowsToRead(resolved(changes), bare, registry).features;
const learned = { structural: null, embedding: { dim: 64 } };

it.each([
  ["classes of nodes", { task: { target: "label" } }],
  ["links", { task: links }],
  [
    "links by time",
    {
      task: { ...links, split: { type: "time" } },
      sampling: { type: "temporal", options: { fanouts: [5, 5] } },
    },
  ],
  ["labels of edges", { task: { type: "edgeClassification", target: "kind" } }],
  ["walks", { task: { type: "node2vec" } }],
  ["ranks that hold a part each", { task: links, resources: { ranks: 2, graph: "partitioned" } }],
])("nodes without features have rows learned, where nothing else is said: %s", (_what, changes) => {
  expect(fitted(changes)).toMatchObject(learned);
  const spec = withRowsToRead(resolved(changes), bare, registry);
  expect(graphObjection(spec, { ...bare, edgeRows: edgeRows }, registry)).toBeNull();
});

const edgeRows = { numRows: 9, classes: ["a", "b"], targets: [], featureDim: 0 };

it.each([
  ["views are compared", { task: { type: "deepGraphInfomax" } }, "projection"],
  [
    "statistics of the batch are kept",
    { model: { type: "sage", options: { norm: "batch" } }, task: { target: "label" } },
    "projection",
  ],
  ["new graphs have nodes of their own", { task: { type: "graphClassification", target: "label" } }, "degree"],
])("columns are made from their edges where no rows can be learned: %s", (_why, changes, method) => {
  expect(fitted(changes)).toMatchObject({ structural: { method }, embedding: null });
});

it("what a spec says itself stays, and so do graphs with features and models that read random rows", () => {
  const said = resolved({ features: { structural: { dim: 16 } } });
  expect(withRowsToRead(said, bare, registry)).toBe(said);
  const open = resolved({});
  for (const kind of ["dense", "csr"] as const) {
    expect(withRowsToRead(open, { features: { kind } }, registry)).toBe(open);
  }
  const random = resolved({ task: { type: "fastRp" } });
  expect(withRowsToRead(random, bare, registry)).toBe(random);
});

it("where neither goes with the spec, it stays and is refused with both ways", () => {
  const spec = withRowsToRead(resolved({ task: { target: "label", inductive: true } }), bare, registry);
  expect(spec.features).toMatchObject({ structural: null, embedding: null });
  expect(graphObjection(spec, bare, registry)?.message).toMatch(/"embedding": \{\}.*map features/);
});

it("a filled spec is its own: sent again, it means the same on any graph", () => {
  const once = withRowsToRead(resolved({ task: links }), bare, registry);
  const again = resolveJobSpec(once, registry);
  expect(again).toEqual(once);
  expect(withRowsToRead(again, bare, registry)).toBe(again);
});

it("a model that reads learned rows alone has some as wide as the task asks for, on any graph", () => {
  const model = { type: "shallow" };
  expect(resolved({ task: { ...links, dim: 48 }, model }).features).toMatchObject({ embedding: { dim: 48 } });
  const named = { task: { ...links, dim: 48 }, model, features: { embedding: { dim: 32 } } };
  expect(() => resolved(named)).toThrow(/is 32 wide; make it 48 wide/);
});

it("an estimate says what was added, and nothing where nothing was", () => {
  const asked = resolved({ task: links });
  expect(addedRowsNote(asked, withRowsToRead(asked, bare, registry))).toMatch(/a row of 64 numbers is learned/);
  expect(addedRowsNote(asked, asked)).toBeNull();
  const views = resolved({ task: { type: "deepGraphInfomax" } });
  expect(addedRowsNote(views, withRowsToRead(views, bare, registry))).toMatch(/columns are made.*by projection/);
});
