import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { selectBackend } from "../../src/backends/select-backend.ts";
import { Clusters, clusterBatches } from "../../src/cluster/cluster-batches.ts";
import { clusterGraph, partOfNodes } from "../../src/cluster/cluster-graph.ts";
import { createClusterSampler } from "../../src/cluster/cluster-sampler.ts";
import type { Block } from "../../src/graph/block.ts";
import type { CscGraph } from "../../src/graph/csc-graph.ts";
import { graphFromEdges } from "../../src/graph/graph-from-edges.ts";
import { inducedSubgraph } from "../../src/graph/induced-subgraph.ts";
import { loadRegistry } from "../../src/spec/index.ts";
import { Trainer } from "../../src/train/trainer.ts";
import { cutInto, edgeArrays, inNeighbors } from "../support/graphs.ts";
import { communityData } from "../train/support/community-data.ts";
import { optionsOf, seriesOf, trainRanks } from "../train/support/train-ranks.ts";

beforeAll(() => selectBackend("native"));

const clusteredGraph = fc.integer({ min: 1, max: 24 }).chain((numNodes) =>
  fc.record({
    numNodes: fc.constant(numNodes),
    edges: edgeArrays(numNodes, 90),
    numParts: fc.integer({ min: 1, max: 4 }),
    clusterOf: fc.array(fc.nat(5), { minLength: numNodes, maxLength: numNodes }),
    train: fc.subarray(
      Array.from({ length: numNodes }, (_, node) => node),
      { minLength: 1 },
    ),
    perBatch: fc.integer({ min: 1, max: 4 }),
    worldSize: fc.integer({ min: 1, max: 3 }),
    seed: fc.nat(1000),
    epoch: fc.nat(20),
  }),
);

function pickedOf(block: Block, dst: number): number[] {
  return Array.from(block.indices.subarray(block.indptr[dst], block.indptr[dst + 1]), (src) => block.srcIds[src]!);
}

describe("induced subgraphs", () => {
  test("have the edges with both ends among the nodes, whatever parts the graph is cut into", () =>
    fc.assert(
      fc.asyncProperty(clusteredGraph, async ({ numNodes, edges, numParts, train: nodes }) => {
        const subgraph = await inducedSubgraph(await cutInto(numParts, numNodes, edges), Int32Array.from(nodes));
        const neighbors = inNeighbors(numNodes, edges);
        const [part] = subgraph.parts;
        const columns = nodes.map((_, i) =>
          Array.from(
            part!.indices.subarray(Number(part!.indptr[i]), Number(part!.indptr[i + 1])),
            (src) => nodes[src]!,
          ),
        );
        expect(columns).toEqual(nodes.map((node) => neighbors[node]!.filter((src) => nodes.includes(src))));
        expect(subgraph.numEdges).toBe(columns.flat().length);
      }),
      { numRuns: 60 },
    ));

  test("keep the weights of their edges", async () => {
    const graph = await graphFromEdges({ src: [0, 1, 2, 3], dst: [3, 3, 3, 0], weights: [1, 2, 3, 4] });
    const subgraph = await inducedSubgraph(graph, Int32Array.of(0, 2, 3));
    expect(subgraph.parts[0]).toMatchObject({ indptr: BigInt64Array.of(0n, 1n, 1n, 3n) });
    expect([...subgraph.parts[0]!.indices]).toEqual([2, 0, 1]); // 3 → 0;  0, 2 → 3
    expect([...subgraph.parts[0]!.weights!]).toEqual([4, 1, 3]);
  });

  test.each([
    [[0, 9], "Node 9 is not in the graph"],
    [[2, 1], "ascend"],
    [[1, 1], "each once"],
  ])("of nodes %j are refused", async (nodes, message) => {
    const graph = await graphFromEdges({ src: [0, 1], dst: [1, 2] });
    await expect(inducedSubgraph(graph, Int32Array.from(nodes))).rejects.toMatchObject({
      code: "SHAPE_MISMATCH",
      message: expect.stringContaining(message),
    });
  });
});

describe("cluster batches", () => {
  test("visit every training node once an epoch, on one rank, in as many steps on every rank", () =>
    fc.assert(
      fc.property(clusteredGraph, ({ clusterOf, train, perBatch, worldSize, seed, epoch }) => {
        const clusters = new Clusters(Int32Array.from(clusterOf));
        const sampler = (rank: number) =>
          createClusterSampler({ graph: {} as CscGraph, clusters, clustersPerBatch: perBatch, numHops: 1, seed })
            .epochSeeds!(Int32Array.from(train), epoch, { rank, worldSize });
        const ranks = Array.from({ length: worldSize }, (_, rank) => sampler(rank));
        expect(new Set(ranks.map(({ length }) => length)).size).toBe(1);
        const seen = ranks.flatMap((steps) => steps.flatMap((seeds) => [...seeds]));
        expect(seen.toSorted((a, b) => a - b)).toEqual(train);
        for (const step of ranks[0]!.keys()) {
          const sizes = ranks.map((steps) => steps[step]!.length);
          expect(Math.max(...sizes)).toBeGreaterThan(0);
          expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
        }
      }),
    ));

  test("are a partition of the clusters, in another order each epoch", () => {
    const clusters = new Clusters(Int32Array.from({ length: 40 }, (_, node) => node % 20));
    const trainNodes = Int32Array.from({ length: 40 }, (_, node) => node);
    const batchesOf = (epoch: number) =>
      clusterBatches(clusters, trainNodes, { perBatch: 6, seed: 1, epoch }).map((batch) => [...batch.clusters]);
    const first = batchesOf(1);
    const second = batchesOf(2);
    expect(first.map(({ length }) => length)).toEqual([6, 6, 6, 2]); // 20 clusters, 6 at a time
    expect(first.flat().toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, c) => c));
    expect(second.flat()).not.toEqual(first.flat());
    expect(batchesOf(1)).toEqual(first);
    const nodes = first.flatMap((chosen) => [...clusters.nodesOf(Int32Array.from(chosen))]);
    expect(nodes.toSorted((a, b) => a - b)).toEqual([...trainNodes]);
  });
});

test("a seed hears of all its in-neighbours in the batch's clusters and of no other, with degrees of the subgraph", () =>
  fc.assert(
    fc.asyncProperty(clusteredGraph, async ({ numNodes, edges, numParts, clusterOf, train, perBatch, seed, epoch }) => {
      const graph = await cutInto(numParts, numNodes, edges);
      const clusters = new Clusters(Int32Array.from(clusterOf));
      const sampler = createClusterSampler({ graph, clusters, clustersPerBatch: perBatch, numHops: 2, seed });
      const trainNodes = Int32Array.from(train);
      const steps = sampler.epochSeeds!(trainNodes, epoch, { rank: 0, worldSize: 1 });
      const batches = clusterBatches(clusters, trainNodes, { perBatch, seed, epoch });
      const neighbors = inNeighbors(numNodes, edges);
      for (const [step, seeds] of steps.entries()) {
        const chosen = [...batches[step]!.clusters];
        const inside = (node: number) => chosen.includes(clusterOf[node]!);
        const blocks = await sampler.sample(seeds, { epoch, step });
        expect(blocks).toHaveLength(2);
        expect([...blocks[1]!.srcIds.subarray(0, blocks[1]!.numDst)]).toEqual([...seeds]);
        expect([...blocks[0]!.srcIds.subarray(0, blocks[0]!.numDst)]).toEqual([...blocks[1]!.srcIds]);
        for (const block of blocks) {
          for (let dst = 0; dst < block.numDst; dst++) {
            const expected = neighbors[block.srcIds[dst]!]!.filter(inside);
            expect(pickedOf(block, dst)).toEqual(expected);
            expect(block.srcDegrees![dst]).toBe(expected.length);
          }
        }
      }
    }),
    { numRuns: 40 },
  ));

describe("clusters by METIS", () => {
  const data = { numNodes: 300, numClasses: 3, dim: 6, numTrain: 90, degree: 8 };

  test("are the same for the same seed, of about equal size, and whatever parts the graph has", async () => {
    const [whole, cut] = await Promise.all([1, 3].map((numParts) => communityData({ ...data, numParts })));
    const clusterOf = await clusterGraph(whole!.graph, 10, 3);
    expect(await clusterGraph(cut!.graph, 10, 3)).toEqual(clusterOf);
    const sizes = Array.from({ length: 10 }, (_, c) => clusterOf.filter((cluster) => cluster === c).length);
    expect(sizes.reduce((sum, size) => sum + size)).toBe(300);
    expect(Math.max(...sizes)).toBeLessThan(40); // 300 / 10 and METIS' tolerance
    expect([...new Set(partOfNodes(cut!.graph))]).toEqual([0, 1, 2]);
  });

  test.each(["sage", "gcn"])("train %s alike on 1 and 3 ranks, in equal steps", async (type) => {
    const model = { type, options: { hiddenFeats: 16, dropout: 0 } };
    const sampling = { type: "clusterGcn", options: { numClusters: 12, clustersPerBatch: 4 } };
    const optimizer = { type: "adam" as const, options: { lr: 0.01 } };
    const options = optionsOf({ model, sampling, train: { epochs: 6, optimizer } });
    const [one] = await trainRanks(await communityData(data), options, 1);
    const many = await trainRanks(await communityData({ ...data, numParts: 3 }), options, 3);
    expect(one!.result.steps).toBe(6 * 3); // 12 clusters, 4 at a time
    expect(many.map(({ result }) => result.steps)).toEqual([18, 18, 18]);
    for (const name of ["train/loss", "val/loss"]) {
      const expected = seriesOf(one!, name);
      for (const [epoch, loss] of seriesOf(many[0]!, name).entries()) {
        expect(Math.abs(loss / expected[epoch]! - 1)).toBeLessThan(1e-5);
      }
    }
    expect(many[2]!.weights).toEqual(many[0]!.weights);
    expect(one!.result.metrics["test/accuracy"]).toBeGreaterThan(0.6);
  });

  test("may be the parts of the job's partition; one batch of all clusters is full-batch training", async () => {
    const cut = await communityData({ ...data, numParts: 3 });
    const model = { type: "gcn", options: { hiddenFeats: 8, dropout: 0 } };
    const train = { epochs: 4, batchSize: 90 };
    const parts = { type: "clusterGcn", options: { clusters: "parts", clustersPerBatch: 3 } };
    const [found] = await trainRanks(cut, optionsOf({ model, sampling: parts, train }), 1);
    const [exact] = await trainRanks(cut, optionsOf({ model, sampling: { type: "full" }, train }), 1);
    for (const [epoch, loss] of seriesOf(found!, "train/loss").entries()) {
      expect(Math.abs(loss / seriesOf(exact!, "train/loss")[epoch]! - 1)).toBeLessThan(1e-5);
    }
  });

  test("cannot estimate metrics from sampled neighbours", async () => {
    const options = optionsOf({ sampling: { type: "clusterGcn" }, train: { evaluate: { mode: "sampled" } } });
    await expect(Trainer.create({ data: await communityData(data), options })).rejects.toMatchObject({
      code: "SPEC_INVALID",
      place: { pointer: "/train/evaluate/mode" },
    });
  });

  test("are no more than there are nodes", async () => {
    const sampler = (await loadRegistry()).get("sampler", "clusterGcn");
    const graph = await graphFromEdges({ src: [0, 1], dst: [1, 2] });
    const options = sampler.options.parse({ numClusters: 50 });
    const { epochSeeds } = await sampler.create(options, { graph, numHops: 1, seed: 0 });
    const seeds = epochSeeds!(Int32Array.of(0, 1, 2), 1, { rank: 0, worldSize: 1 });
    expect(seeds.flatMap((step) => [...step]).toSorted((a, b) => a - b)).toEqual([0, 1, 2]);
  });
});
