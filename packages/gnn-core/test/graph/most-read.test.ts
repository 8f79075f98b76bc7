import { describe, expect, test } from "vitest";
import { graphFromEdges } from "../../src/graph/graph-from-edges.ts";
import { mostRead, timesRead } from "../../src/graph/most-read.ts";
import { randomFloats } from "../support/seeded-random.ts";

describe("the rows that batches read most", () => {
  test("are those of in-neighbours, counted over all nodes that have them", async () => {
    const graph = await graphFromEdges({
      numNodes: 4,
      src: Int32Array.of(0, 0, 1, 3, 0),
      dst: Int32Array.of(1, 2, 2, 0, 3),
    });
    expect([...timesRead(graph)]).toEqual([3, 1, 0, 1]);
  });

  test("are the first of an order by count, then by id", () => {
    const counts = Int32Array.from(randomFloats(200, 1), (value) => Math.floor(Math.abs(value) * 7));
    const order = [...counts.keys()].toSorted((a, b) => counts[b]! - counts[a]! || a - b);
    for (const count of [0, 1, 5, 40, 199, 200, 300]) {
      expect([...mostRead(counts, count)]).toEqual(order.slice(0, count).toSorted((a, b) => a - b));
    }
    expect([...mostRead(new Int32Array(3), 2)]).toEqual([0, 1]);
    expect([...mostRead(new Int32Array(0), 2)]).toEqual([]);
  });
});
