import { describe, expect, test } from "vitest";
import { expectedRemoteReads } from "../../src/estimate/index.ts";
import { SeededRandom } from "../../src/generate/random.ts";
import { graphFromEdges } from "../../src/graph/graph-from-edges.ts";
import { createBlockSampler } from "../../src/sampling/block-sampler.ts";

const numNodes = 2000;
const numParts = 4;
const degree = 8;
const partOf = (node: number) => Math.floor((node * numParts) / numNodes);

/** Every node hears from `degree` random nodes, three quarters of them of its own part. */
async function graphOfParts() {
  const random = new SeededRandom(3);
  const src: number[] = [];
  const dst: number[] = [];
  const size = numNodes / numParts;
  for (let node = 0; node < numNodes; node++) {
    for (let e = 0; e < degree; e++) {
      const first = partOf(node) * size;
      src.push(
        random.uniform() < 0.75
          ? first + random.integer(size)
          : (first + size + random.integer(numNodes - size)) % numNodes,
      );
      dst.push(node);
    }
  }
  return { graph: await graphFromEdges({ src, dst, numNodes, duplicates: "keep" }), src, dst };
}

describe("the expected remote reads of a step", () => {
  test.each([
    { fanouts: [4], seeds: 32 },
    { fanouts: [-1], seeds: 200 },
    { fanouts: [5, 3], seeds: 32 },
    { fanouts: [8, 8], seeds: 200 },
    { fanouts: [3, 3, 3], seeds: 32 },
  ])("are what batches of $seeds seeds with fanouts $fanouts read of other parts", async ({ fanouts, seeds }) => {
    const { graph, src, dst } = await graphOfParts();
    const edgeCut = src.filter((node, e) => partOf(node) !== partOf(dst[e]!)).length / src.length;
    const sampler = createBlockSampler({ graph, fanouts, replace: false, seed: 1 });
    const random = new SeededRandom(5);
    let read = 0;
    let batches = 0;
    for (let step = 0; step < 60; step++) {
      const own = step % numParts;
      const size = numNodes / numParts;
      const picked = new Set<number>();
      while (picked.size < seeds) picked.add(own * size + random.integer(size));
      const [input] = await sampler.sample(Int32Array.from(picked), { epoch: 0, step });
      read += input!.srcIds.filter((node) => partOf(node) !== own).length;
      batches += 1;
    }
    const expected = expectedRemoteReads({ numParts, numNodes, numEdges: src.length, edgeCut }, seeds, fanouts);
    expect(read / batches / expected).toBeGreaterThan(0.96);
    expect(read / batches / expected).toBeLessThan(1.04);
  });

  test("are none in one part, and all other nodes at most", () => {
    const graph = { numParts: 1, numNodes: 100, numEdges: 1000, edgeCut: 0 };
    expect(expectedRemoteReads(graph, 10, [5])).toBe(0);
    expect(expectedRemoteReads({ ...graph, numNodes: 0, numEdges: 0 }, 10, [5])).toBe(0);
    const cut = { ...graph, numParts: 2, edgeCut: 0.5 };
    const most = expectedRemoteReads(cut, 50, [-1, -1, -1, -1]);
    expect(most).toBeGreaterThan(49.9);
    expect(most).toBeLessThanOrEqual(50);
  });
});
