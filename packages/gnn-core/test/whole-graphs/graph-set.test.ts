import fc from "fast-check";
import { expect, test } from "vitest";
import type { GnnError } from "../../src/errors/gnn-error.ts";
import { int64At, int64Words } from "../../src/io/int64.ts";
import { splitOfFold } from "../../src/whole-graphs/folds.ts";
import { graphOfNode, graphSetOf, numGraphsOf } from "../../src/whole-graphs/graph-set.ts";

const two = { graphOf: ["a", "a", "a", "b", "b"], src: [0, 1, 3], dst: [1, 2, 4], directed: false };

test("graphs are ranges of one id space, called what the user calls them", async () => {
  const set = await graphSetOf(two);
  expect(numGraphsOf(set)).toBe(2);
  expect([...set.offsets]).toEqual([0, 3, 5]);
  expect(set.ids).toEqual(["a", "b"]);
  expect(set.graph.numEdges).toBe(6);
  expect([0, 1, 2, 3, 4].map((node) => graphOfNode(set.offsets, node))).toEqual([0, 0, 0, 1, 1]);
});

test.each([
  [
    "an id that comes back",
    { graphOf: ["a", "b", "a"], src: [], dst: [] },
    "DATASET_VALUE_INVALID",
    3,
    /of graph "a" again/,
  ],
  ["an edge between two graphs", { ...two, src: [0, 2], dst: [1, 3] }, "DATASET_VALUE_INVALID", 2, /"a".*"b"/],
  ["an edge to no node", { ...two, src: [0], dst: [5] }, "DATASET_NODE_UNKNOWN", 1, /node 5/],
  ["a graph without a node", { ...two, ids: ["a", "c", "b"] }, "DATASET_VALUE_INVALID", 2, /"c".*no node/],
  ["a graph that the list has not", { ...two, ids: ["a"] }, "DATASET_NODE_UNKNOWN", 4, /no further graph/],
  ["graphs in another order", { ...two, ids: ["b", "a"] }, "DATASET_VALUE_INVALID", 1, /expected graph "b"/],
  ["no nodes at all", { graphOf: [], src: [], dst: [] }, "DATASET_VALUE_INVALID", undefined, /no nodes/],
] as const)("%s is refused with its place", async (_name, rows, code, line, message) => {
  const error = (await graphSetOf(rows).catch((refused: GnnError) => refused)) as GnnError;
  expect(error).toMatchObject({ code, message: expect.stringMatching(message) });
  expect(error.place.line).toBe(line);
});

test("no edge joins two graphs, whatever edges within graphs are given", async () => {
  const graphs = fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(
      graphs,
      fc.array(fc.tuple(fc.nat(), fc.nat(), fc.nat()), { maxLength: 40 }),
      async (sizes, draws) => {
        const graphOf = sizes.flatMap((size, g) => Array.from({ length: size }, () => g));
        const first = (g: number) => sizes.slice(0, g).reduce((sum, size) => sum + size, 0);
        const rows = draws.map(([g, a, b]) => {
          const graph = g % sizes.length;
          return [first(graph) + (a % sizes[graph]!), first(graph) + (b % sizes[graph]!)] as const;
        });
        const set = await graphSetOf({ graphOf, src: rows.map(([a]) => a), dst: rows.map(([, b]) => b) });
        const [part] = set.graph.parts;
        const offsets = int64Words(part!.indptr);
        for (const [node, graph] of graphOf.entries()) {
          for (let edge = int64At(offsets, node); edge < int64At(offsets, node + 1); edge++) {
            expect(graphOf[part!.indices[edge]!]).toBe(graph);
          }
        }
        expect(set.graph.numEdges).toBe(new Set(rows.map(String)).size);
      },
    ),
    { numRuns: 30 },
  );
});

test("a fold of a file is a split, and what it names wrongly is refused with its place", async () => {
  const set = await graphSetOf(two);
  expect([...splitOfFold({ train: ["b"], test: ["a"] }, set)]).toEqual([3, 1]);
  expect([...splitOfFold({ train: [], test: [], validation: ["a"] }, set)]).toEqual([2, 0]);
  expect(() => splitOfFold({ train: ["a", "c"], test: [] }, set)).toThrow(
    expect.objectContaining({ code: "DATASET_NODE_UNKNOWN", place: { field: "train", line: 2 } }),
  );
  expect(() => splitOfFold({ train: ["a"], test: ["b", "a"] }, set)).toThrow(
    expect.objectContaining({ code: "DATASET_DUPLICATE", place: { field: "test", line: 2 } }),
  );
});
