import fc from "fast-check";
import { expect, test } from "vitest";
import { measureHomophily } from "../../src/io/ingest/homophily.ts";

/** Compressed in-edges of pairs [src, dst]. */
function csc(numNodes: number, pairs: readonly (readonly [number, number])[]) {
  const columns = Array.from({ length: numNodes }, (_, dst) => pairs.filter((pair) => pair[1] === dst));
  const offsets = [0];
  for (const column of columns) offsets.push(offsets.at(-1)! + column.length);
  const indices = Int32Array.from(columns.flat(), ([src]) => src);
  return { indptr: BigInt64Array.from(offsets, BigInt), indices };
}

test("half of the edges of a square of two classes join nodes of one class, as chance would have it", () => {
  const square = csc(4, [
    [0, 1],
    [1, 2],
    [2, 3],
    [3, 0],
  ]);
  const labels = Int32Array.of(0, 0, 1, 1);
  expect(measureHomophily(square.indptr, square.indices, labels, 2)).toEqual({ edges: 4, same: 2, expected: 0.5 });
});

test("loops and edges of unlabelled nodes are not counted", () => {
  const graph = csc(3, [
    [0, 0],
    [0, 1],
    [0, 2],
  ]);
  const labels = Int32Array.of(0, 0, -1);
  expect(measureHomophily(graph.indptr, graph.indices, labels, 1)).toEqual({ edges: 1, same: 1, expected: 1 });
});

test("no figure is given where no edge joins two labelled nodes", () => {
  const graph = csc(2, [[0, 1]]);
  expect(measureHomophily(graph.indptr, graph.indices, Int32Array.of(0, -1), 1)).toBeNull();
});

test("it agrees with a count over the pairs themselves on any graph", () => {
  const node = fc.nat(7);
  const pairs = fc.array(fc.tuple(node, node), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(pairs, fc.array(fc.integer({ min: -1, max: 3 }), { minLength: 8, maxLength: 8 }), (edges, labels) => {
      const { indptr, indices } = csc(8, edges);
      const found = measureHomophily(indptr, indices, Int32Array.from(labels), 4);
      const counted = edges.filter(([src, dst]) => src !== dst && labels[src]! >= 0 && labels[dst]! >= 0);
      const ends = counted.flat().map((end) => labels[end]!);
      const shares = [0, 1, 2, 3].map((label) => ends.filter((end) => end === label).length / ends.length);
      expect(found?.edges ?? 0).toBe(counted.length);
      if (!found) return;
      expect(found.same).toBe(counted.filter(([src, dst]) => labels[src] === labels[dst]).length);
      expect(found.expected).toBeCloseTo(
        shares.reduce((sum, share) => sum + share * share, 0),
        12,
      );
    }),
  );
});
