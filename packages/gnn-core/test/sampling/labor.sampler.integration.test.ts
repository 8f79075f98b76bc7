import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CscGraph } from "../../src/graph/csc-graph.ts";
import { graphFromEdges } from "../../src/graph/graph-from-edges.ts";
import { laborSampler } from "../../src/sampling/labor.sampler.ts";
import { neighborSampler } from "../../src/sampling/neighbor.sampler.ts";
import { pickedOf, samplerSuite } from "../conformance/sampler.suite.ts";
import { drawBlocks, edgesOfBlock, expectInclusion, expectUnbiased, tally } from "../support/draw-statistics.ts";
import { edgeArrays, inNeighbors } from "../support/graphs.ts";
import { seededRandom } from "../support/seeded-random.ts";

const parsed = (options: object) => laborSampler.options.parse(options);
const atMost = (degree: number, fanout: number) => (degree <= fanout ? degree : ([0, degree] as const));

samplerSuite({
  name: "LABOR-0 [3, 2]",
  numHops: 2,
  create: (context) => laborSampler.create(parsed({ fanouts: [3, 2] }), context),
  expectedPicks: (degree, hop) => atMost(degree, [3, 2][hop]!),
  replace: false,
});

samplerSuite({
  name: "LABOR-* [2, 3], not normalised",
  numHops: 2,
  create: (context) =>
    laborSampler.create(parsed({ fanouts: [2, 3], importanceSampling: -1, normalize: false }), context),
  expectedPicks: (degree, hop) => atMost(degree, [2, 3][hop]!),
  replace: false,
  weighted: true,
  dependsOnBatch: true,
  importance: "inverse probability",
});

samplerSuite({
  name: "LABOR-1 [3, -1] of a fixed size",
  numHops: 2,
  create: (context) =>
    laborSampler.create(parsed({ fanouts: [3, -1], importanceSampling: 1, fixedSize: true }), context),
  expectedPicks: (degree, hop) => (hop === 0 ? Math.min(degree, 3) : degree),
  replace: false,
  dependsOnBatch: true,
  importance: "normalised",
});

const numNodes = 30;
const random = seededRandom(11);
/** Simple, some nodes with many in-neighbours, some with few. */
const edges = Array.from({ length: numNodes }, (_, dst) =>
  Array.from({ length: numNodes }, (_src, src) => [src, dst] as const).filter(() => random() < (dst % 5) / 6),
).flat();
const neighbors = inNeighbors(numNodes, { src: edges.map(([src]) => src), dst: edges.map(([, dst]) => dst) });
const all = Array.from({ length: numNodes }, (_, node) => node);
const x = all.map((node) => Math.sin(node) * 3);
const sums = new Map(all.map((dst) => [dst, neighbors[dst]!.reduce((sum, src) => sum + x[src]!, 0)]));

const theGraph = (): Promise<CscGraph> =>
  graphFromEdges({ src: edges.map(([src]) => src), dst: edges.map(([, dst]) => dst), numNodes });
async function samplerOf(options: object, numHops = 1) {
  return laborSampler.create(parsed(options), { graph: await theGraph(), numHops, seed: 4 });
}

/** Solves Σ_t 1/min(1, c·π_t) = d²/k by bisection, and refines π, straight from the paper's definitions. */
function twin(fanout: number, iterations: number): { probability: (src: number, dst: number) => number; size: number } {
  const pi = new Map(all.map((node) => [node, 1]));
  const scaleOf = (dst: number) => {
    const srcs = neighbors[dst]!;
    if (srcs.length <= fanout) return 1 / Math.min(...srcs.map((src) => pi.get(src)!));
    const target = srcs.length ** 2 / fanout;
    let low = 0;
    let high = 1000;
    for (let i = 0; i < 60; i++) {
      const c = (low + high) / 2;
      const value = srcs.reduce((sum, src) => sum + 1 / Math.min(1, c * pi.get(src)!), 0);
      if (value > target) low = c;
      else high = c;
    }
    return high;
  };
  const highest = () => {
    const c = new Map<number, number>();
    for (const dst of all) {
      for (const src of neighbors[dst]!) c.set(src, Math.max(c.get(src) ?? 0, scaleOf(dst)));
    }
    return c;
  };
  for (let i = 0; i < iterations; i++) for (const [src, c] of highest()) pi.set(src, pi.get(src)! * c);
  const scales = new Map(all.filter((dst) => neighbors[dst]!.length > 0).map((dst) => [dst, scaleOf(dst)]));
  const size = [...highest()].reduce((sum, [src, c]) => sum + Math.min(1, pi.get(src)! * c), 0);
  return { probability: (src, dst) => Math.min(1, scales.get(dst)! * pi.get(src)!), size };
}

describe("LABOR", () => {
  test.each([0, 1, 2, -1])("with %d rounds, each edge has the probability of the paper", async (rounds) => {
    const { probability } = twin(4, rounds < 0 ? 40 : rounds);
    const sampler = await samplerOf({ fanouts: [4], importanceSampling: rounds, normalize: false });
    const blocks = await drawBlocks(sampler, all, rounds < 0 ? 150 : 800);
    const counts = tally(blocks.flatMap((block) => edgesOfBlock(block).map(([src, dst]) => `${src}-${dst}`)));
    const expected = new Map(edges.map(([src, dst]) => [`${src}-${dst}`, probability(src, dst)]));
    if (rounds >= 0) expectInclusion(counts, expected, blocks.length);
    for (const block of blocks.slice(0, 5)) {
      for (const [src, dst, edge] of edgesOfBlock(block)) {
        expect(1 / block.importance!.sum[edge]!).toBeCloseTo(probability(src, dst), rounds < 0 ? 2 : 5);
      }
    }
    expectUnbiased(blocks, ({ importance }, e) => importance!.sum[e]!, x, sums);
  });

  test.each([0, 2])("of a fixed size, with %d rounds, the sum is unbiased", async (rounds) => {
    const sampler = await samplerOf({ fanouts: [4], importanceSampling: rounds, fixedSize: true, normalize: false });
    expectUnbiased(await drawBlocks(sampler, all, 1500), ({ importance }, e) => importance!.sum[e]!, x, sums);
  });

  test("LABOR-0 of a fixed size takes each neighbour equally often", async () => {
    const blocks = await drawBlocks(await samplerOf({ fanouts: [4], fixedSize: true }), all, 800);
    const counts = tally(blocks.flatMap((block) => edgesOfBlock(block).map(([src, dst]) => `${src}-${dst}`)));
    const expected = edges.map(([src, dst]) => [`${src}-${dst}`, Math.min(1, 4 / neighbors[dst]!.length)] as const);
    expectInclusion(counts, new Map(expected), blocks.length);
  });

  test("nodes with the same in-neighbours take the same ones", async () => {
    const src = Array.from({ length: 40 }, (_, i) => 2 + (i % 20));
    const graph = await graphFromEdges({ src, dst: src.map((_, i) => (i < 20 ? 0 : 1)) });
    for (const fixedSize of [false, true]) {
      const sampler = await laborSampler.create(parsed({ fanouts: [5], fixedSize }), { graph, numHops: 1, seed: 8 });
      for (const block of await drawBlocks(sampler, [0, 1], 20)) expect(pickedOf(block, 0)).toEqual(pickedOf(block, 1));
    }
  });

  test("a batch has fewer rows than with independent draws, and fewer still with refined probabilities", async () => {
    const meanRows = async (rounds: number | null) => {
      const context = { graph: await theGraph(), numHops: 1, seed: 2 };
      const sampler =
        rounds === null
          ? await neighborSampler.create(neighborSampler.options.parse({ fanouts: [4] }), context)
          : await laborSampler.create(parsed({ fanouts: [4], importanceSampling: rounds }), context);
      const blocks = await drawBlocks(sampler, [4, 9, 14, 19, 24, 29], 400);
      return blocks.reduce((sum, { numSrc }) => sum + numSrc, 0) / blocks.length;
    };
    const independent = await meanRows(null);
    const labor0 = await meanRows(0);
    const laborStar = await meanRows(-1);
    expect(labor0).toBeLessThan(0.9 * independent);
    expect(laborStar).toBeLessThan(labor0);
  });

  test("each round lowers the expected number of nodes, which it also is on average", async () => {
    const sizes = [0, 1, 2, 3].map((rounds) => twin(4, rounds).size);
    for (const [i, size] of sizes.slice(1).entries()) expect(size).toBeLessThan(sizes[i]! + 1e-9);
    const blocks = await drawBlocks(await samplerOf({ fanouts: [4], importanceSampling: 2 }), all, 800);
    const drawn = blocks.map(({ indices }) => new Set(indices).size);
    const mean = drawn.reduce((sum, count) => sum + count, 0) / drawn.length;
    expect(Math.abs(mean - sizes[2]!)).toBeLessThan(0.5);
  });

  test("with layer dependency a node draws the same at every hop, without it does not", async () => {
    const graph = await graphFromEdges({
      src: Array.from({ length: 200 }, (_, i) => i),
      dst: new Int32Array(200),
    });
    for (const layerDependency of [true, false]) {
      const sampler = await laborSampler.create(parsed({ fanouts: [9, 9], layerDependency }), {
        graph,
        numHops: 2,
        seed: 1,
      });
      const [inner, outer] = await sampler.sample(Int32Array.of(0), { epoch: 0, step: 0 });
      const same = pickedOf(inner!, 0).join() === pickedOf(outer!, 0).join();
      expect(same).toBe(layerDependency);
    }
  });

  test("a fanout of 0 takes nothing, whatever the graph and the rounds", () =>
    fc.assert(
      fc.asyncProperty(edgeArrays(8, 30), fc.integer({ min: -1, max: 3 }), async (list, importanceSampling) => {
        const graph = await graphFromEdges({ ...list, numNodes: 8, duplicates: "keep" });
        const sampler = await laborSampler.create(parsed({ fanouts: [0], importanceSampling }), {
          graph,
          numHops: 1,
          seed: 1,
        });
        const [block] = await drawBlocks(sampler, [0, 3, 7], 1);
        expect(block!.indices).toHaveLength(0);
      }),
      { numRuns: 30 },
    ));

  test("wants one fanout per hop of the model", async () => {
    await expect(samplerOf({ fanouts: [5] }, 2)).rejects.toMatchObject({
      code: "SPEC_INVALID",
      place: { pointer: "/sampling/options/fanouts" },
    });
  });
});
