import { describe, expect, test } from "vitest";
import { graphFromEdges } from "../../src/graph/graph-from-edges.ts";
import { neighborSampler } from "../../src/sampling/neighbor.sampler.ts";
import { pickedOf, samplerSuite } from "../conformance/sampler.suite.ts";

samplerSuite({
  name: "neighbor [3, 2]",
  numHops: 2,
  create: (context) => neighborSampler.create(neighborSampler.options.parse({ fanouts: [3, 2] }), context),
  expectedPicks: (degree, hop) => Math.min(degree, [3, 2][hop]!),
  replace: false,
});

samplerSuite({
  name: "neighbor [-1, 1, 2]",
  numHops: 3,
  create: (context) => neighborSampler.create(neighborSampler.options.parse({ fanouts: [-1, 1, 2] }), context),
  expectedPicks: (degree, hop) => (hop === 0 ? degree : Math.min(degree, hop)),
  replace: false,
});

samplerSuite({
  name: "neighbor [4] with replacement",
  numHops: 1,
  create: (context) => neighborSampler.create(neighborSampler.options.parse({ fanouts: [4], replace: true }), context),
  expectedPicks: (degree) => (degree > 0 ? 4 : 0),
  replace: true,
});

/** A star: nodes 1 … degree send to node 0. */
function star(degree: number) {
  const src = Int32Array.from({ length: degree }, (_, i) => i + 1);
  return graphFromEdges({ src, dst: new Int32Array(degree) });
}

async function sampleStar(degree: number, fanout: number, seed: number, steps: number, replace = false) {
  const graph = await star(degree);
  const options = neighborSampler.options.parse({ fanouts: [fanout], replace });
  const sampler = await neighborSampler.create(options, { graph, numHops: 1, seed });
  return Promise.all(
    Array.from({ length: steps }, async (_, step) => {
      const [block] = await sampler.sample(Int32Array.of(0), { epoch: 0, step });
      return pickedOf(block!, 0);
    }),
  );
}

/** Σ (observed − expected)² / expected over the neighbours. */
function chiSquare(draws: readonly (readonly number[])[], degree: number): number {
  const counts = new Float64Array(degree + 1);
  for (const node of draws.flat()) counts[node]! += 1;
  const expected = draws.flat().length / degree;
  return counts.subarray(1).reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
}

describe("neighbour sampling", () => {
  // The 99.9 % point of χ² with 49 degrees of freedom is 85.35; without replacement the statistic of inclusion
  // counts is smaller still, by (degree − fanout) / (degree − 1).
  test.each([
    ["a few", 10, false],
    ["most", 45, false],
    ["a few, with replacement", 10, true],
  ])("includes every neighbour equally often when drawing %s", async (_name, fanout, replace) => {
    const draws = await sampleStar(50, fanout, 7, 2000, replace);
    const scale = replace ? 1 : (50 - fanout) / 49;
    expect(chiSquare(draws, 50) / scale).toBeLessThan(85.35);
    expect(chiSquare(draws, 50) / scale).toBeGreaterThan(23); // 0.1 % point: not suspiciously even
  });

  test("draws as evenly above 64 picks, where it looks them up in a hash set", async () => {
    const draws = await sampleStar(100, 80, 3, 1000);
    for (const picked of draws) expect(new Set(picked).size).toBe(80);
    // 99.9 % point of χ² with 99 degrees of freedom: 148.2
    expect(chiSquare(draws, 100) / (20 / 99)).toBeLessThan(148.2);
  });

  test("draws pairs independently: all 10 pairs of 5 neighbours are as frequent", async () => {
    const draws = await sampleStar(5, 2, 11, 5000);
    const counts = new Map<string, number>();
    for (const pair of draws) counts.set(pair.join(), (counts.get(pair.join()) ?? 0) + 1);
    expect(counts.size).toBe(10);
    const statistic = [...counts.values()].reduce((sum, count) => sum + (count - 500) ** 2 / 500, 0);
    expect(statistic).toBeLessThan(27.88); // 99.9 % point, 9 degrees of freedom
  });

  test("seed, epoch and step each change the draws", async () => {
    const graph = await star(1000);
    const draw = async (seed: number, epoch: number, step: number) => {
      const sampler = await neighborSampler.create(neighborSampler.options.parse({ fanouts: [5] }), {
        graph,
        numHops: 1,
        seed,
      });
      const [block] = await sampler.sample(Int32Array.of(0), { epoch, step });
      return pickedOf(block!, 0).join();
    };
    const draws = await Promise.all([draw(0, 0, 0), draw(1, 0, 0), draw(0, 1, 0), draw(0, 0, 1)]);
    expect(new Set(draws).size).toBe(4);
    expect(await draw(0, 0, 0)).toBe(draws[0]);
  });

  test("the same node draws differently at different hops", async () => {
    // 0 sends to itself and 1 … 999 send to it: it is a dst in both hops.
    const graph = await graphFromEdges({
      src: Int32Array.from({ length: 1000 }, (_, i) => i),
      dst: new Int32Array(1000),
    });
    const sampler = await neighborSampler.create(neighborSampler.options.parse({ fanouts: [5, 5] }), {
      graph,
      numHops: 2,
      seed: 0,
    });
    const [inner, outer] = await sampler.sample(Int32Array.of(0), { epoch: 0, step: 0 });
    expect(pickedOf(inner!, 0)).not.toEqual(pickedOf(outer!, 0));
  });

  test("weights come with their edges", async () => {
    const graph = await graphFromEdges({ src: [1, 2, 3, 4], dst: [0, 0, 0, 0], weights: [10, 20, 30, 40] });
    const sampler = await neighborSampler.create(neighborSampler.options.parse({ fanouts: [2] }), {
      graph,
      numHops: 1,
      seed: 5,
    });
    const [block] = await sampler.sample(Int32Array.of(0), { epoch: 0, step: 0 });
    expect([...block!.weights!]).toEqual(pickedOf(block!, 0).map((node) => node * 10));
  });

  test("wants one fanout per hop of the model", async () => {
    const graph = await star(3);
    const options = neighborSampler.options.parse({ fanouts: [5] });
    await expect(async () => neighborSampler.create(options, { graph, numHops: 2, seed: 0 })).rejects.toMatchObject({
      code: "SPEC_INVALID",
      place: { pointer: "/sampling/options/fanouts" },
    });
  });
});
