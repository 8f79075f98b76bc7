import fc from "fast-check";
import { expect, test } from "vitest";
import type { CscGraph } from "../../src/graph/csc-graph.ts";
import { type EdgeDir, messageGraph } from "../../src/graph/message-graph.ts";
import { cutInto, edgeArrays } from "../support/graphs.ts";

/** [src, dst, weight] of every edge, sorted by dst, then src, then weight. */
function edgesOf({ parts }: CscGraph): number[][] {
  return parts
    .flatMap(({ firstNode, numNodes, indptr, indices, weights }) =>
      Array.from({ length: numNodes }, (_, local) => local).flatMap((local) => {
        const begin = Number(indptr[local]);
        const end = Number(indptr[local + 1]);
        return Array.from(indices.subarray(begin, end), (src, i) => [
          src,
          firstNode + local,
          weights?.[begin + i] ?? 1,
        ]);
      }),
    )
    .toSorted(byDstThenSrc);
}

function byDstThenSrc([a, b, c]: number[], [x, y, z]: number[]): number {
  return b! - y! || a! - x! || c! - z!;
}

test("out reverses every edge and both adds the reverse, with their weights, in the same parts", () =>
  fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 15 }).chain((n) => fc.tuple(fc.constant(n), edgeArrays(n, 60))),
      fc.integer({ min: 1, max: 4 }),
      fc.boolean(),
      async ([numNodes, edges], numParts, weighted) => {
        const weights = edges.src.map((src, i) => (weighted ? 1 + ((src * 5 + edges.dst[i]! * 3) % 7) : 1));
        const graph = await cutInto(numParts, numNodes, weighted ? { ...edges, weights } : edges);
        const out = edges.src.map((src, i) => [edges.dst[i]!, src, weights[i]!]);
        const expected = { out, both: [...out, ...edges.src.map((src, i) => [src, edges.dst[i]!, weights[i]!])] };
        for (const edgeDir of ["out", "both"] as const) {
          const made = await messageGraph(graph, edgeDir);
          expect(edgesOf(made)).toEqual(expected[edgeDir].toSorted(byDstThenSrc));
          expect(made.numEdges).toBe(expected[edgeDir].length);
          expect(made.parts.map(({ firstNode, numNodes: count }) => [firstNode, count])).toEqual(
            graph.parts.map(({ firstNode, numNodes: count }) => [firstNode, count]),
          );
          for (const { indptr, indices, numNodes: count } of made.parts) {
            for (let node = 0; node < count; node++) {
              const column = indices.subarray(Number(indptr[node]), Number(indptr[node + 1]));
              expect([...column]).toEqual([...column].toSorted((a, b) => a - b));
            }
          }
        }
      },
    ),
    { numRuns: 60 },
  ));

test("is built once per graph and direction, and is the graph itself for in", async () => {
  const graph = await cutInto(2, 4, { src: [0, 1, 2], dst: [1, 2, 3] });
  const [a, b] = await Promise.all([messageGraph(graph, "out"), messageGraph(graph, "out")]);
  expect(a).toBe(b);
  expect(await messageGraph(graph, "both" satisfies EdgeDir)).not.toBe(a);
  expect(await messageGraph(graph, "in")).toBe(graph);
});
