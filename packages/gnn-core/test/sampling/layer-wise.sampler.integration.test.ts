import { beforeAll, describe, expect, test } from "vitest";
import { selectBackend } from "../../src/backends/select-backend.ts";
import { tensor2d, tidy } from "../../src/backends/tf.ts";
import type { Block } from "../../src/graph/block.ts";
import { graphFromEdges } from "../../src/graph/graph-from-edges.ts";
import { gcnNorm } from "../../src/ops/gcn-norm.ts";
import { weightedSpmm } from "../../src/ops/weighted-spmm.ts";
import { fastgcnSampler } from "../../src/sampling/fastgcn.sampler.ts";
import { ladiesSampler } from "../../src/sampling/ladies.sampler.ts";
import type { Sampler } from "../../src/sampling/sampler.ts";
import { withDegrees } from "../../src/sampling/with-degrees.ts";
import { samplerSuite } from "../conformance/sampler.suite.ts";
import {
  drawBlocks,
  edgesOfBlock,
  expectDistribution,
  expectInclusion,
  expectUnbiased,
  tally,
} from "../support/draw-statistics.ts";
import { inNeighbors } from "../support/graphs.ts";
import { seededRandom } from "../support/seeded-random.ts";

const any = (degree: number) => [0, degree] as const;

samplerSuite({
  name: "FastGCN [6, 9]",
  numHops: 2,
  create: (context) => fastgcnSampler.create({ layerSizes: [6, 9], normalize: false }, context),
  expectedPicks: any,
  replace: false,
  importance: "inverse probability",
});

samplerSuite({
  name: "FastGCN [-1, 5], normalised",
  numHops: 2,
  create: (context) => fastgcnSampler.create({ layerSizes: [-1, 5], normalize: true }, context),
  expectedPicks: (degree, hop) => (hop === 0 ? degree : any(degree)),
  replace: false,
  weighted: true,
  importance: "normalised",
});

samplerSuite({
  name: "LADIES [6, 9]",
  numHops: 2,
  create: (context) => ladiesSampler.create(ladiesSampler.options.parse({ layerSizes: [6, 9] }), context),
  expectedPicks: any,
  replace: false,
  dependsOnBatch: true,
  importance: "normalised",
});

samplerSuite({
  name: "LADIES [5, -1] with replacement, not normalised",
  numHops: 2,
  create: (context) => ladiesSampler.create({ layerSizes: [5, -1], replace: true, normalize: false }, context),
  expectedPicks: (degree, hop) => (hop === 1 ? degree : any(degree)),
  replace: false,
  weighted: true,
  dependsOnBatch: true,
  importance: "inverse probability",
});

const numNodes = 24;
const random = seededRandom(2);
const edges = Array.from({ length: numNodes }, (_, dst) =>
  Array.from({ length: numNodes }, (_src, src) => [src, dst] as const).filter(() => random() < 0.1 + (dst % 4) / 6),
).flat();
const srcs = edges.map(([src]) => src);
const dsts = edges.map(([, dst]) => dst);
const weights = edges.map((_, i) => 1 + (i % 3));
const neighbors = inNeighbors(numNodes, { src: srcs, dst: dsts });
const all = Array.from({ length: numNodes }, (_, node) => node);
const x = all.map((node) => Math.cos(2 * node) + 0.5);
const sums = new Map(all.map((dst) => [dst, neighbors[dst]!.reduce((sum, src) => sum + x[src]!, 0)]));

const graphOf = (weighted = false) => graphFromEdges({ src: srcs, dst: dsts, numNodes, ...(weighted && { weights }) });
const contextOf = async (weighted = false) => ({ graph: await graphOf(weighted), numHops: 1, seed: 6 });

/** Â = D̂^-1/2·(A + I)·D̂^-1/2 with D̂ = 1 + in-degree, [dst][src]. */
function normalisedAdjacency(weighted: boolean): number[][] {
  const matrix = all.map((dst) => all.map((src): number => (src === dst ? 1 : 0)));
  for (const [i, [src, dst]] of edges.entries()) matrix[dst]![src]! += weighted ? weights[i]! : 1;
  const degrees = matrix.map((row) => row.reduce((sum, value) => sum + value, 0));
  return matrix.map((row, dst) => row.map((value, src) => value / Math.sqrt(degrees[dst]! * degrees[src]!)));
}

function toDistribution(scores: ReadonlyMap<number, number>): Map<number, number> {
  const total = [...scores.values()].reduce((sum, score) => sum + score, 0);
  return new Map([...scores].map(([node, score]) => [node, score / total]));
}

/** Times each node was drawn in a hop of `size`, from importance = times / (size · q). */
function timesDrawn(block: Block, q: ReadonlyMap<number, number>, size: number): Map<number, number> {
  return new Map(edgesOfBlock(block).map(([src, , edge]) => [src, block.importance!.sum[edge]! * size * q.get(src)!]));
}

/** One output column of a GCN layer without weights: Â·x as the block estimates it. */
function aggregated(block: Block): Float32Array {
  return tidy(() => {
    const rows = tensor2d(
      Float32Array.from(block.srcIds, (id: number) => x[id]!),
      [block.numSrc, 1],
    );
    return weightedSpmm(block, rows, gcnNorm(block)).dataSync<"float32">();
  });
}

async function expectUnbiasedGcn(sampler: Sampler, weighted: boolean, numDraws: number): Promise<void> {
  const exact = normalisedAdjacency(weighted).map((row) => row.reduce((sum, value, src) => sum + value * x[src]!, 0));
  const outs = (await drawBlocks(withDegrees(sampler, await graphOf(weighted)), all, numDraws)).map(aggregated);
  for (const node of all) {
    const values = outs.map((out) => out[node]!);
    const mean = values.reduce((sum, value) => sum + value, 0) / numDraws;
    const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / numDraws;
    expect(Math.abs(mean - exact[node]!)).toBeLessThan(4.5 * Math.sqrt(variance / numDraws) + 1e-4);
  }
}

describe("FastGCN", () => {
  beforeAll(() => selectBackend("native"));

  test.each([false, true])("draws a node by the norm of its column of Â (edge weights: %s)", async (weighted) => {
    const adjacency = normalisedAdjacency(weighted);
    const q = toDistribution(new Map(all.map((u) => [u, adjacency.reduce((sum, row) => sum + row[u]! ** 2, 0)])));
    const sampler = await fastgcnSampler.create({ layerSizes: [8], normalize: false }, await contextOf(weighted));
    const counts = new Map<number, number>();
    for (const block of await drawBlocks(sampler, all, 700)) {
      for (const [node, times] of timesDrawn(block, q, 8)) {
        expect(times).toBeCloseTo(Math.round(times), 3);
        counts.set(node, (counts.get(node) ?? 0) + Math.round(times));
      }
    }
    // A node that sends to nobody is drawn as well, but does not show.
    const senders = toDistribution(new Map([...q].filter(([node]) => srcs.includes(node))));
    expectDistribution(counts, senders);
  });

  test("keeps every edge from a drawn node to a dst row, and draws the same nodes whatever the seeds", async () => {
    const sampler = await fastgcnSampler.create({ layerSizes: [6], normalize: false }, await contextOf());
    for (const block of await drawBlocks(sampler, all, 30)) {
      const drawn = new Set(edgesOfBlock(block).map(([src]) => src));
      const kept = edgesOfBlock(block).map(([src, dst]) => `${src}-${dst}`);
      expect(kept.toSorted()).toEqual(
        edges
          .filter(([src]) => drawn.has(src))
          .map(([src, dst]) => `${src}-${dst}`)
          .toSorted(),
      );
    }
    const whole = await drawBlocks(sampler, all, 20);
    const part = await drawBlocks(sampler, [5, 17], 20);
    for (const [i, block] of part.entries()) {
      const sourcesIn = (from: Block) =>
        edgesOfBlock(from)
          .filter(([, dst]) => dst === 5)
          .map(([src]) => src);
      expect(sourcesIn(block)).toEqual(sourcesIn(whole[i]!));
    }
  });

  test.each([false, true])("estimates the GCN layer over all neighbours (edge weights: %s)", async (weighted) => {
    const sampler = await fastgcnSampler.create({ layerSizes: [10], normalize: false }, await contextOf(weighted));
    await expectUnbiasedGcn(sampler, weighted, 400);
  });

  test("its sums and means are unbiased", async () => {
    const sampler = await fastgcnSampler.create({ layerSizes: [10], normalize: false }, await contextOf());
    const blocks = await drawBlocks(sampler, all, 800);
    expectUnbiased(blocks, ({ importance }, e) => importance!.sum[e]!, x, sums);
    const means = new Map([...sums].map(([dst, sum]) => [dst, sum / Math.max(1, neighbors[dst]!.length)]));
    expectUnbiased(blocks, ({ importance }, e) => importance!.mean[e]!, x, means);
  });
});

describe("LADIES", () => {
  beforeAll(() => selectBackend("native"));
  const seeds = [1, 2, 3, 7, 11, 15];

  /** q_u ∝ Σ_v (A_vu / d_v)² over the seeds. */
  const q = toDistribution(
    seeds.reduce((scores, dst) => {
      for (const src of neighbors[dst]!) {
        scores.set(src, (scores.get(src) ?? 0) + 1 / neighbors[dst]!.length ** 2);
      }
      return scores;
    }, new Map<number, number>()),
  );

  test("with replacement, draws a node by what it sends to the layer above", async () => {
    const sampler = await ladiesSampler.create({ layerSizes: [7], replace: true, normalize: false }, await contextOf());
    const counts = new Map<number, number>();
    for (const block of await drawBlocks(sampler, seeds, 800)) {
      for (const [node, times] of timesDrawn(block, q, 7)) {
        expect(times).toBeCloseTo(Math.round(times), 3);
        counts.set(node, (counts.get(node) ?? 0) + Math.round(times));
      }
    }
    expect([...counts.values()].reduce((sum, count) => sum + count, 0)).toBe(7 * 800);
    expectDistribution(counts, q);
  });

  test("without replacement, draws as many nodes as asked for, by two draws after each other", async () => {
    const sampler = await ladiesSampler.create(
      { layerSizes: [2], replace: false, normalize: false },
      await contextOf(),
    );
    const blocks = await drawBlocks(sampler, seeds, 3000);
    const drawn = blocks.map((block) => [...new Set(edgesOfBlock(block).map(([src]) => src))]);
    for (const nodes of drawn) expect(nodes).toHaveLength(2);
    // Drawn first, or second after any other node.
    const inclusion = [...q].map(([u, qu]) => {
      const second = [...q].reduce((sum, [a, qa]) => sum + (a === u ? 0 : (qa * qu) / (1 - qa)), 0);
      return [u, qu + second] as const;
    });
    expectInclusion(tally(drawn.flat()), new Map(inclusion), blocks.length);
  });

  test.each([true, false])("estimates the sums over all neighbours (replacement: %s)", async (replace) => {
    const sampler = await ladiesSampler.create({ layerSizes: [9], replace, normalize: false }, await contextOf());
    const exact = new Map(seeds.map((dst) => [dst, sums.get(dst)!]));
    expectUnbiased(await drawBlocks(sampler, seeds, 1200), ({ importance }, e) => importance!.sum[e]!, x, exact);
    await expectUnbiasedGcn(sampler, false, 400);
  });

  test("takes all in-neighbours, exactly, when the layer is at least as large", async () => {
    const sampler = await ladiesSampler.create(
      { layerSizes: [24], replace: false, normalize: false },
      await contextOf(),
    );
    const [block] = await drawBlocks(sampler, seeds, 1);
    expect(block!.indices).toHaveLength(seeds.reduce((sum, dst) => sum + neighbors[dst]!.length, 0));
    expect(new Set(block!.importance!.sum)).toEqual(new Set([1]));
  });
});

test.each([fastgcnSampler, ladiesSampler])("$name wants one size per hop of the model", async ({ create }) => {
  const graph = await graphOf();
  const options = { layerSizes: [5], normalize: true, replace: false };
  await expect(async () => create(options, { graph, numHops: 2, seed: 0 })).rejects.toMatchObject({
    code: "SPEC_INVALID",
    message: "layerSizes has 1 entries and the model 2 hops; give one layerSize per hop.",
    place: { pointer: "/sampling/options/layerSizes" },
  });
});
