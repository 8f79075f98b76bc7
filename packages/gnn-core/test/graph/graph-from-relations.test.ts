import { expect, test } from "vitest";
import type { CscGraph } from "../../src/graph/csc-graph.ts";
import { graphFromRelations } from "../../src/graph/graph-from-relations.ts";

/** In-edges of each node as `relation:source`. */
function columnsOf({ parts, relations = [] }: CscGraph): string[][] {
  const { indptr, indices, types, numNodes } = parts[0]!;
  return Array.from({ length: numNodes }, (_, v) => {
    const [begin, end] = [Number(indptr[v]), Number(indptr[v + 1])];
    return Array.from({ length: end - begin }, (_, i) => `${relations[types![begin + i]!]}:${indices[begin + i]}`);
  });
}

const cites = { src: [3, 1, 1], dst: [2, 2, 2] };
const writes = { src: [0], dst: [2] };

test("columns are sorted by relation, then by source, and an edge is dropped where its relation has it already", async () => {
  const graph = await graphFromRelations({ numNodes: 4, relations: { cites, writes } });
  expect(columnsOf(graph)).toEqual([[], [], ["cites:1", "cites:3", "writes:0"], []]);
  expect(graph).toMatchObject({ numEdges: 3, relations: ["cites", "writes"] });
});

test("the same two nodes may be joined by several relations, and by one repeatedly where repeats are kept", async () => {
  const relations = { cites, extends: { src: [1], dst: [2] } };
  expect(columnsOf(await graphFromRelations({ numNodes: 4, relations, duplicates: "keep" }))[2]).toEqual([
    "cites:1",
    "cites:1",
    "cites:3",
    "extends:1",
  ]);
});

test("reverse relations have names of their own", async () => {
  const graph = await graphFromRelations({ numNodes: 4, relations: { cites, writes }, reverse: true });
  expect(graph.relations).toEqual(["cites", "writes", "rev_cites", "rev_writes"]);
  expect(columnsOf(graph)).toEqual([
    ["rev_writes:2"],
    ["rev_cites:2"],
    ["cites:1", "cites:3", "writes:0"],
    ["rev_cites:2"],
  ]);
});

test("ids outside the graph and types of other nodes are errors", async () => {
  const given = { numNodes: 3, relations: { cites } };
  await expect(graphFromRelations(given)).rejects.toMatchObject({ code: "DATASET_NODE_UNKNOWN" });
  const nodeTypes = { names: ["paper"], codes: new Int32Array(2) };
  await expect(graphFromRelations({ ...given, numNodes: 4, nodeTypes })).rejects.toMatchObject({
    code: "SHAPE_MISMATCH",
  });
});
