import { expect, test } from "vitest";
import { exampleNode } from "../../src/components/NewNodes/example-node.ts";

const dense = { kind: "dense", dim: 9 };

test("a node for a model is shown with the model's own columns, and valid JSON where all of them fit", () => {
  const text = exampleNode({ ...dense, columns: ["year", "weight in kg"] });
  expect(JSON.parse(text)).toEqual({
    id: "new",
    features: { year: 0, "weight in kg": 0 },
    edges: [{ to: "a node" }],
  });
});

test("columns of lists, of kinds and of what is missing are shown as the nodes file has them", () => {
  const columns = ["color=red", "color=blue", "words[128]", "year", "year is missing", "more"];
  expect(exampleNode({ ...dense, columns })).toBe(
    '{"id": "new", "features": {"color": "blue", "words": [0, 0, 0, …], "year": 0, …}, "edges": [{"to": "a node"}]}',
  );
});

test("a row of a matrix is a list of its numbers, or what is not 0 by its columns", () => {
  expect(exampleNode({ ...dense, dim: 2, columns: null })).toContain('"features": [0, 0]');
  expect(exampleNode({ kind: "csr", dim: 1433, columns: null })).toContain('"features": {"0": 1, …}');
});
