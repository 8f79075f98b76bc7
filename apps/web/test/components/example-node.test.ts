import { expect, test } from "vitest";
import { exampleNode } from "../../src/components/NewNodes/example-node.ts";

const alike = { nodeTypes: ["node"], edgeTypes: ["edge"] };
const dense = { kind: "dense", dim: 9, types: null };
const reading = (features: Parameters<typeof exampleNode>[0]["features"]) => exampleNode({ ...alike, features });

test("a node for a model is shown with the model's own columns, and valid JSON where all of them fit", () => {
  const text = reading({ ...dense, columns: ["year", "weight in kg"] });
  expect(JSON.parse(text)).toEqual({
    id: "new",
    features: { year: 0, "weight in kg": 0 },
    edges: [{ to: "a node" }],
  });
});

test("columns of lists, of kinds and of what is missing are shown as the nodes file has them", () => {
  const columns = ["color=red", "color=blue", "words[128]", "year", "year is missing", "more"];
  expect(reading({ ...dense, columns })).toBe(
    '{"id": "new", "features": {"color": "blue", "words": [0, 0, 0, …], "year": 0, …}, "edges": [{"to": "a node"}]}',
  );
});

test("a row of a matrix is a list of its numbers, or what is not 0 by its columns", () => {
  expect(reading({ ...dense, dim: 2, columns: null })).toContain('"features": [0, 0]');
  expect(reading({ ...dense, kind: "csr", dim: 1433, columns: null })).toContain('"features": {"0": 1, …}');
});

test("of a typed graph, a node of a type that has columns is shown with a relation of the files", () => {
  const columns = ["paper.year", "paper.kind=demo", "venue.size"];
  const types = [
    { name: "author", dim: 0 },
    { name: "paper", dim: 2 },
    { name: "venue", dim: 1 },
  ];
  const text = exampleNode({
    features: { kind: "csr", dim: 3, columns, types },
    nodeTypes: ["author", "paper", "venue"],
    edgeTypes: ["rev_cites", "cites", "in"],
  });
  expect(JSON.parse(text)).toEqual({
    id: "new",
    type: "paper",
    features: { year: 0, kind: "demo" },
    edges: [{ relation: "cites", to: "a node" }],
  });
});
