import { describe, expect, it } from "vitest";
import { drawnEdges } from "../../../src/export/map/drawn-edges.ts";

// In-neighbours: 0 ← 1 2 3 4, 1 ← 0, 2 ← 2 (itself) 4, 3 ← none, 4 ← 0 1
const graph = {
  indptr: BigInt64Array.from([0n, 4n, 5n, 7n, 7n, 9n]),
  indices: Int32Array.from([1, 2, 3, 4, 0, 2, 4, 0, 1]),
};
const neighborsOf = ({ offsets, points }: ReturnType<typeof drawnEdges>) =>
  Array.from({ length: offsets.length - 1 }, (_, point) => [...points.subarray(offsets[point], offsets[point + 1])]);

describe("the edges that a map draws", () => {
  it("have the degree in the whole graph, and as neighbours the points that are on the map", () => {
    const edges = drawnEdges(graph, Int32Array.from([0, 2, 4]), 10);
    expect([...edges.degrees]).toEqual([4, 2, 2]);
    expect(neighborsOf(edges)).toEqual([[1, 2], [2], [0]]);
  });

  it("are cut at so many of each point, while its degree counts all", () => {
    const edges = drawnEdges(graph, Int32Array.from([0, 1, 2, 3, 4]), 2);
    expect([...edges.degrees]).toEqual([4, 1, 2, 0, 2]);
    expect(neighborsOf(edges)).toEqual([[1, 2], [0], [4], [], [0, 1]]);
  });

  it("are none on an empty map", () => {
    const edges = drawnEdges(graph, new Int32Array(0), 10);
    expect([edges.degrees.length, ...edges.offsets, edges.points.length]).toEqual([0, 0, 0]);
  });
});
