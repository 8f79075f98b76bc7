import { describe, expect, test } from "vitest";
import { graphFromEdges } from "../../src/graph/graph-from-edges.ts";
import { neighborSampler } from "../../src/sampling/neighbor.sampler.ts";
import { pickedOf, samplerSuite } from "../conformance/sampler.suite.ts";
import { drawBlocks, expectDistribution, expectInclusion, expectUnbiased, tally } from "../support/draw-statistics.ts";

const byWeight = (options: object) => neighborSampler.options.parse({ probability: "weight", ...options });

samplerSuite({
  name: "neighbor [3, 2] by weight",
  numHops: 2,
  create: (context) => neighborSampler.create(byWeight({ fanouts: [3, 2] }), context),
  expectedPicks: (degree, hop) => Math.min(degree, [3, 2][hop]!),
  replace: false,
  weighted: true,
  importance: "inverse probability",
});

samplerSuite({
  name: "neighbor [-1, 4] by weight with replacement, not reweighted",
  numHops: 2,
  create: (context) => neighborSampler.create(byWeight({ fanouts: [-1, 4], replace: true, reweight: false }), context),
  expectedPicks: (degree, hop) => (hop === 0 ? degree : degree > 0 ? 4 : 0),
  replace: true,
  weighted: true,
});

const weights = [1, 2, 3, 4, 5];
const total = 15;
/** Nodes 1 … 5 send to node 0 with weights 1 … 5; node 6 does with weight 0. */
const star = () => graphFromEdges({ src: [1, 2, 3, 4, 5, 6], dst: [0, 0, 0, 0, 0, 0], weights: [...weights, 0] });

async function samplerOf(options: object, seed = 3) {
  return neighborSampler.create(byWeight(options), { graph: await star(), numHops: 1, seed });
}

describe("drawing by weight", () => {
  test("with replacement: each draw takes a neighbour in proportion to its weight", async () => {
    const blocks = await drawBlocks(await samplerOf({ fanouts: [4], replace: true }), [0], 2500);
    const picks = blocks.flatMap((block) => pickedOf(block, 0));
    expectDistribution(tally(picks), new Map(weights.map((weight, i) => [i + 1, weight / total])));
  });

  test("without replacement: pairs are as frequent as two draws after each other make them", async () => {
    const blocks = await drawBlocks(await samplerOf({ fanouts: [2] }), [0], 6000);
    const pairs = tally(blocks.map((block) => pickedOf(block, 0).join()));
    const expected = new Map<string, number>();
    for (let a = 1; a <= 5; a++) {
      for (let b = a + 1; b <= 5; b++) {
        // a first, then b among the rest; or the other way round
        expected.set(`${a},${b}`, ((a / total) * b) / (total - a) + ((b / total) * a) / (total - b));
      }
    }
    expectDistribution(pairs, expected);
  });

  const x = [0, 3, -1, 4, 1, -5, 9];
  const sum = weights.reduce((at, _, i) => at + x[i + 1]!, 0);

  test.each([1, 3, 4])("without replacement, %d of 5: the reweighted sum is unbiased", async (fanout) => {
    const blocks = await drawBlocks(await samplerOf({ fanouts: [fanout] }), [0], 2500);
    expectUnbiased(blocks, ({ importance }, e) => importance!.sum[e]!, x, new Map([[0, sum]]));
    expectUnbiased(blocks, ({ importance }, e) => importance!.mean[e]!, x, new Map([[0, sum / 5]]));
  });

  describe("from 40 neighbours, none of which is heavy", () => {
    const many = Array.from({ length: 40 }, (_, i) => 1 + (i % 3));
    const whole = many.reduce((at, weight) => at + weight, 0);
    const values = [0, ...many.map((_, i) => Math.sin(3 * i) + 0.4)];
    async function drawMany(fanout: number, count: number) {
      const src = many.map((_, i) => i + 1);
      const graph = await graphFromEdges({ src, dst: new Int32Array(40), weights: many });
      const sampler = await neighborSampler.create(byWeight({ fanouts: [fanout] }), { graph, numHops: 1, seed: 5 });
      return drawBlocks(sampler, [0], count);
    }

    test("two draws without replacement include each neighbour as often as two draws after each other", async () => {
      const blocks = await drawMany(2, 4000);
      const inclusion = many.map((weight, u) => {
        const second = many.reduce((at, w, a) => at + (a === u ? 0 : (w / whole) * (weight / (whole - w))), 0);
        return [u + 1, weight / whole + second] as const;
      });
      expectInclusion(tally(blocks.flatMap((block) => pickedOf(block, 0))), new Map(inclusion), blocks.length);
      for (const block of blocks) expect(new Set(pickedOf(block, 0)).size).toBe(2);
    });

    // Up to 6 picks (6 · 3 ≤ 79 / 4) by arrivals, above by a key for every neighbour.
    test.each([1, 3, 6, 12])("the reweighted sum of %d is unbiased", async (fanout) => {
      const all = values.reduce((at, value) => at + value, 0);
      const blocks = await drawMany(fanout, 1500);
      for (const block of blocks.slice(0, 50)) expect(new Set(pickedOf(block, 0)).size).toBe(fanout);
      expectUnbiased(blocks, ({ importance }, e) => importance!.sum[e]!, values, new Map([[0, all]]));
    });
  });

  test("with replacement: the reweighted sum is unbiased, and with the weights each draw is total / fanout", async () => {
    const blocks = await drawBlocks(await samplerOf({ fanouts: [3], replace: true }), [0], 2500);
    expectUnbiased(blocks, ({ importance }, e) => importance!.sum[e]!, x, new Map([[0, sum]]));
    for (const { importance, weights: drawn } of blocks.slice(0, 20)) {
      for (const [e, weight] of drawn!.entries()) expect(importance!.sum[e]! * weight).toBeCloseTo(total / 3, 4);
    }
  });

  test("what has weight 0 is drawn only where all are taken", async () => {
    const all = await drawBlocks(await samplerOf({ fanouts: [-1] }), [0], 1);
    expect(pickedOf(all[0]!, 0)).toEqual([1, 2, 3, 4, 5, 6]);
    const six = await drawBlocks(await samplerOf({ fanouts: [6] }), [0], 1);
    expect(pickedOf(six[0]!, 0)).toEqual([1, 2, 3, 4, 5]);
    const none = await graphFromEdges({ src: [1, 2], dst: [0, 0], weights: [0, 0] });
    for (const replace of [true, false]) {
      const sampler = await neighborSampler.create(byWeight({ fanouts: [2], replace }), {
        graph: none,
        numHops: 1,
        seed: 0,
      });
      expect(pickedOf((await drawBlocks(sampler, [0], 1))[0]!, 0)).toEqual([]);
    }
  });

  test("a graph without weights, and a negative or infinite weight, are refused with what to do", async () => {
    const draw = async (edgeWeights?: number[]) => {
      const graph = await graphFromEdges({ src: [1, 2], dst: [0, 0], ...(edgeWeights && { weights: edgeWeights }) });
      const sampler = await neighborSampler.create(byWeight({ fanouts: [1] }), { graph, numHops: 1, seed: 0 });
      return drawBlocks(sampler, [0], 1);
    };
    await expect(draw()).rejects.toMatchObject({ code: "DATASET_VALUE_INVALID", message: /map a weight column/ });
    await expect(draw([1, -2])).rejects.toMatchObject({ message: /2 -> 0 .*has weight -2.*at least 0/ });
    await expect(draw([Number.POSITIVE_INFINITY, 1])).rejects.toMatchObject({ code: "DATASET_VALUE_INVALID" });
  });
});
