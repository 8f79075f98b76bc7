import { beforeAll, describe, expect, it } from "vitest";
import { rmatGraph } from "../../src/generate/rmat-graph.ts";
import type { Block } from "../../src/graph/block.ts";
import type { CscGraph } from "../../src/graph/csc-graph.ts";
import { createBlockSampler } from "../../src/sampling/block-sampler.ts";

let graph: CscGraph;
beforeAll(async () => {
  graph = await rmatGraph({ scale: 14, edgeFactor: 4, seed: 5 });
});

const inNeighbours = (node: number) => {
  const { indptr, indices } = graph.parts[0]!;
  return indices.subarray(Number(indptr[node]), Number(indptr[node + 1]));
};

function sample(numSeeds: number): Promise<readonly Block[]> {
  const seeds = Int32Array.from({ length: numSeeds }, (_, i) => (i * 5) % graph.numNodes);
  return createBlockSampler({ graph, fanouts: [3, 2], replace: false, seed: 1 }).sample(seeds, { epoch: 0, step: 0 });
}

// 16,384 nodes: a few seeds are kept in a hash table, many in a table of all nodes.
describe.each([
  ["a few seeds", 3],
  ["many seeds", 2000],
])("relabelling the nodes of %s", (_name, numSeeds) => {
  it("gives each node one row, in the order of first appearance", async () => {
    for (const { srcIds, numDst, numSrc, indices } of await sample(numSeeds)) {
      expect(new Set(srcIds).size).toBe(numSrc);
      let next = numDst;
      for (const row of indices) {
        expect(row).toBeLessThanOrEqual(next);
        if (row === next) next++;
      }
      expect(next).toBe(numSrc);
    }
  });

  it("keeps every edge an edge of the graph", async () => {
    for (const { srcIds, numDst, indptr, indices } of await sample(numSeeds)) {
      for (let dst = 0; dst < numDst; dst++) {
        const sources = inNeighbours(srcIds[dst]!);
        for (const row of indices.subarray(indptr[dst], indptr[dst + 1])) expect(sources).toContain(srcIds[row]);
      }
    }
  });
});

it("the rows of a few seeds do not depend on the batch they are drawn in", async () => {
  const few = await sample(3);
  const many = await sample(2000);
  const edgesOf = ({ srcIds, indptr, indices }: Block) =>
    Array.from({ length: 3 }, (_, dst) => Array.from(indices.subarray(indptr[dst], indptr[dst + 1]), (u) => srcIds[u]));
  expect(edgesOf(few[1]!)).toEqual(edgesOf(many[1]!));
});

it.each([3, 2000])("a seed outside the graph is refused in a batch of %d", async (numSeeds) => {
  const seeds = new Int32Array(numSeeds).fill(graph.numNodes);
  const sampler = createBlockSampler({ graph, fanouts: [2], replace: false, seed: 1 });
  await expect(sampler.sample(seeds, { epoch: 0, step: 0 })).rejects.toMatchObject({
    code: "SHAPE_MISMATCH",
    message: expect.stringContaining("Node 16384 is not in the graph of 16384 nodes"),
  });
});
