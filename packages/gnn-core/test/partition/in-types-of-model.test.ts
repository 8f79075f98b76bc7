import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cscFromCoo } from "../../src/graph/csc-from-coo.ts";
import type { GraphArtifact } from "../../src/partition/graph-artifact.ts";
import { edgeTypesByPlace, inTypesOfModel } from "../../src/partition/in-types-of-model.ts";

const relations = ["cites", "likes", "owns", "writes"];
const kinds = ["author", "paper", "topic"];

interface Edge {
  readonly src: number;
  readonly dst: number;
  readonly relation: string;
}

/** A graph that has stored the edges, which counts the relations and kinds that occur by their names. */
async function stored(edges: readonly Edge[], kindOf: readonly string[]): Promise<GraphArtifact> {
  const names = [...new Set(edges.map(({ relation }) => relation))].toSorted();
  const nodeNames = [...new Set(kindOf)].toSorted();
  const [src, dst] = [edges.map((edge) => edge.src), edges.map((edge) => edge.dst)].map((ends) =>
    Int32Array.from(ends),
  );
  const { indptr, indices, edgeIds } = await cscFromCoo(src!, dst!, kindOf.length);
  const rows = Array.from(edgeIds, (row) => edges[row] as Edge);
  const facts = { numNodes: kindOf.length, numEdges: edges.length, nodeTypes: nodeNames, edgeTypes: names };
  return {
    facts,
    indptr,
    indices,
    edgeTypes: names.length < 2 ? null : Int32Array.from(rows, ({ relation }) => names.indexOf(relation)),
    nodeTypes: nodeNames.length < 2 ? null : Int32Array.from(kindOf, (kind) => nodeNames.indexOf(kind)),
  } as unknown as GraphArtifact;
}

/** Every edge with its names again, in the order of places */
function edgesOf(graph: GraphArtifact): Edge[] {
  const types = edgeTypesByPlace(graph);
  const ends = Array.from(graph.indptr, Number);
  return Array.from(graph.indices, (src, place) => ({
    src,
    dst: ends.findIndex((end) => end > place) - 1,
    relation: graph.facts.edgeTypes[types?.[place] ?? 0] as string,
  }));
}

const ordered = (edges: readonly Edge[]) =>
  edges.map(({ src, dst, relation }) => [dst, src, relation].join()).toSorted();

const graphs = fc.array(fc.constantFrom(...kinds), { minLength: 1, maxLength: 8 }).chain((kindOf) =>
  fc.record({
    kindOf: fc.constant(kindOf),
    edges: fc.array(
      fc.record({
        src: fc.nat(kindOf.length - 1),
        dst: fc.nat(kindOf.length - 1),
        relation: fc.constantFrom(...relations),
      }),
      { minLength: 1, maxLength: 30 },
    ),
    learnt: fc.subarray(relations, { minLength: 1 }),
  }),
);

describe("a graph in the types of a model", () => {
  it("has the edges of the relations that the model knows, and all its nodes, under the model's numbers", async () => {
    await fc.assert(
      fc.asyncProperty(graphs, async ({ kindOf, edges, learnt }) => {
        const graph = await stored(edges, kindOf);
        const typed = inTypesOfModel(graph, { nodes: kinds, edges: learnt });
        const kept = edges.filter(({ relation }) => learnt.includes(relation));
        expect(ordered(edgesOf(typed))).toEqual(ordered(kept));
        expect(typed.facts).toMatchObject({ numEdges: kept.length, nodeTypes: kinds, edgeTypes: learnt });
        expect(Array.from(typed.nodeTypes!, (code) => kinds[code])).toEqual(kindOf);
      }),
    );
  });

  it("keeps the EdgeIds under which weights and features lie", async () => {
    const edges = [
      { src: 1, dst: 0, relation: "cites" },
      { src: 2, dst: 0, relation: "owns" },
      { src: 0, dst: 1, relation: "cites" },
    ];
    const typed = inTypesOfModel(await stored(edges, ["paper", "paper", "paper"]), {
      nodes: ["paper"],
      edges: ["cites", "likes"],
    });
    expect([[...typed.indices], [...typed.indptr].map(Number), [...typed.edgeIds!]]).toEqual([
      [1, 0],
      [0, 1, 2, 2],
      [0, 2],
    ]);
    expect(typed.nodeTypes).toBeNull();
  });

  it("is refused with the type, if it has nodes of which the model knows nothing", async () => {
    const graph = await stored([{ src: 0, dst: 1, relation: "cites" }], ["paper", "robot"]);
    expect(() => inTypesOfModel(graph, { nodes: ["author", "paper"], edges: ["cites"] })).toThrow(
      /knows no nodes of the type "robot"; leave them out/,
    );
  });
});
