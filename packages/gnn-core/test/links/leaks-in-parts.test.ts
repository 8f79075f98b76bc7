import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { selectBackend } from "../../src/backends/select-backend.ts";
import { partitionedData } from "../../src/dist-store/partitioned-data.ts";
import type { CscGraph } from "../../src/graph/csc-graph.ts";
import { inEdgeWeight } from "../../src/graph/in-edge-weight.ts";
import { PairIndex } from "../../src/graph/pair-index.ts";
import { linkBatches } from "../../src/links/link-batches.ts";
import { uniformTail } from "../../src/links/negatives/uniform-tail.ts";
import type { NodePairs } from "../../src/links/node-pairs.ts";
import { noPairs } from "../../src/links/node-pairs.ts";
import { pairFigures } from "../../src/links/pair-figures.ts";
import { loadParts } from "../../src/partition/load-parts.ts";
import { createBlockSampler } from "../../src/sampling/block-sampler.ts";
import { EdgeLoader, type EdgeMiniBatch } from "../../src/sampling/edge-loader.ts";
import { inEdgeWeights } from "../../src/sampling/in-edge-weights.ts";
import { partitionStep } from "../../src/steps/partition.step.ts";
import { distRanks, onRanks } from "../dist-store/dist-ranks.ts";
import { type SmallGraph, writeGraphArtifact } from "../support/graph-artifact.ts";
import { runStep } from "../support/run-step.ts";

let dir: string;
beforeAll(async () => {
  await selectBackend("native");
  dir = await mkdtemp(join(tmpdir(), "hopwise-leaks-"));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

/** What each of two ranks does with the part of a graph that it holds. */
async function inParts<T>(name: string, graph: SmallGraph, program: (graph: CscGraph, whole: CscGraph) => Promise<T>) {
  const artifact = await writeGraphArtifact(join(dir, name), graph);
  const parts = await runStep(
    partitionStep,
    { graph: artifact },
    { partition: { type: "random", options: { numParts: 2 } } },
  );
  const { graph: whole } = loadParts(parts);
  return onRanks(distRanks(2), async (store) => {
    const { graph: held } = await partitionedData(store, parts, { embedding: {} });
    return program(held, whole);
  });
}

describe("links of a graph in parts", () => {
  /** A matching, stored in both directions: a node is linked with one other, and nothing but the link tells of it. */
  const numNodes = 200;
  const matching = Array.from({ length: numNodes / 2 }, (_, i) => [2 * i, 2 * i + 1] as const);
  const graph = { numNodes, edges: matching.flatMap(([a, b]) => [[a, b] as const, [b, a] as const]) };

  /** The links by the ids of the parts, which each of them tells of its own nodes. */
  function linksOf({ parts }: CscGraph): NodePairs {
    const pairs = parts.flatMap(({ firstNode, numNodes: count, indices }) =>
      Array.from({ length: count }, (_, column) => [indices[column] as number, firstNode + column] as const),
    );
    const some = pairs.filter(([src, dst]) => src < dst);
    return { src: Int32Array.from(some, ([src]) => src), dst: Int32Array.from(some, ([, dst]) => dst) };
  }

  /** Whether either end of each pair hears from the other in a hop */
  function peek({ blocks: [block], seeds, srcRows, dstRows }: EdgeMiniBatch): number[] {
    const hears = (dst: number, src: number) => {
      const column = block!.indices.subarray(block!.indptr[dst], block!.indptr[dst + 1]);
      return [...column].some((row) => block!.srcIds[row] === seeds[src]);
    };
    return Array.from(srcRows, (src, i) => Number(hears(dstRows[i]!, src) || hears(src, dstRows[i]!)));
  }

  async function aucOfPeeking(hides: boolean): Promise<(number | null)[]> {
    let rank = 0;
    return inParts(`matching-${hides}`, graph, async (held, whole) => {
      const train = linksOf(whole);
      const seen = await PairIndex.of(train, numNodes, false);
      const plan = { train, directed: false, seed: 0, epoch: 1, batchSize: 25, rank: rank++, worldSize: 2 };
      const planned = [...linkBatches({ ...plan, negatives: uniformTail({ perLink: 1, seed: 0, seen }) })];
      const batches = planned.map((batch) => (hides ? batch : { ...batch, without: noPairs }));
      const sampler = createBlockSampler({ graph: held, fanouts: [-1], replace: false, seed: 0 });
      const found = { links: [] as number[], others: [] as number[] };
      for await (const batch of new EdgeLoader({ sampler, graph: held, features: null, batches })) {
        const { numLinks } = planned[batch.step]!;
        const told = peek(batch);
        found.links.push(...told.slice(0, numLinks));
        found.others.push(...told.slice(numLinks));
      }
      expect(found.links.length).toBeGreaterThan(40);
      return pairFigures(Float32Array.from(found.links), Float32Array.from(found.others)).auc;
    });
  }

  test("carry no message in their step: what the messages tell of them is chance, and all where they are not hidden", async () => {
    expect(await aucOfPeeking(true)).toEqual([0.5, 0.5]);
    expect(await aucOfPeeking(false)).toEqual([1, 1]);
  });
});

test.each([
  ["plain edges, some twice", {}],
  ["edges with weights", { weighted: true }],
  ["edges of several types, by which columns are sorted", { typed: true }],
])(
  "what an edge adds to the degree of a node in another's part is told as of the whole graph: %s",
  async (_, choice) => {
    const { weighted = false, typed = false } = choice as { weighted?: boolean; typed?: boolean };
    const edges = Array.from({ length: 160 }, (_edge, i) => [(i * 7) % 30, (i * i + 3) % 30] as const);
    const twice = [...edges, ...edges.slice(0, 20)];
    const given = {
      numNodes: 30,
      edges: twice,
      ...(weighted && { weights: twice.map((_edge, i) => 1 + (i % 5)) }),
      ...(typed && { edgeTypes: twice.map((_edge, i) => i % 3) }),
    };
    const told = await inParts(`weights-${weighted}-${typed}`, given, async (held, whole) => {
      const all = Int32Array.from({ length: 30 }, (_node, node) => node);
      const weightOf = await inEdgeWeights(held, all);
      const pairs = [...all].flatMap((src) => [...all].map((dst) => [src, dst] as const));
      expect(pairs.map(([src, dst]) => weightOf(src, dst))).toEqual(
        pairs.map(([src, dst]) => inEdgeWeight(whole, src, dst)),
      );
      return pairs.reduce((sum, [src, dst]) => sum + weightOf(src, dst), 0);
    });
    const total = weighted ? twice.reduce((sum, _edge, i) => sum + 1 + (i % 5), 0) : twice.length;
    expect(told).toEqual([total, total]);
  },
);
