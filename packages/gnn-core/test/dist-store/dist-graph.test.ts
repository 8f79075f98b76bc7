import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { DistGraph } from "../../src/dist-store/dist-graph.ts";
import type { DistStore } from "../../src/dist-store/dist-store.ts";
import { DistTensor } from "../../src/dist-store/dist-tensor.ts";
import { cutGraph } from "../../src/dist-store/graph-part.ts";
import type { CscGraph } from "../../src/graph/csc-graph.ts";
import { graphFromEdges } from "../../src/graph/graph-from-edges.ts";
import { createBlockSampler } from "../../src/sampling/block-sampler.ts";
import { distRanks, onRanks } from "./dist-ranks.ts";

const numNodes = 13;
// Node 12 has no in-edges; node 0 has one from itself.
const src = Int32Array.from({ length: 40 }, (_, e) => (e * 7) % numNodes);
const dst = Int32Array.from({ length: 40 }, (_, e) => (e * 5) % (numNodes - 1));
const all = Int32Array.from({ length: numNodes }, (_, node) => node);
let graph: CscGraph;
beforeAll(async () => {
  graph = await graphFromEdges({ src, dst, numNodes, weights: Float32Array.from(src), duplicates: "drop" });
});

const labels = { dtype: "int32", rowShape: [], values: all.map((node) => 10 * node) } as const;
const create = (store: DistStore) => DistGraph.create(store, "g", cutGraph(graph, store.rank, { labels }));
/** In-neighbours by node, from the list of edges */
const neighborsOf = (node: number) => new Set([...src].filter((_, e) => dst[e] === node));

describe.each([1, 2, 4])("on %i ranks", (worldSize) => {
  test("counts, degrees and rows are those of the whole graph", async () => {
    await onRanks(distRanks(worldSize), async (store) => {
      const dist = await create(store);
      const pairs = new Set([...src].map((s, e) => `${s} ${dst[e]}`));
      expect([dist.numNodes, dist.numEdges]).toEqual([numNodes, pairs.size]);
      const backwards = all.toReversed();
      expect([...(await dist.inDegrees(backwards))]).toEqual([...backwards].map((node) => neighborsOf(node).size));
      expect([...(await dist.ndata["labels"]!.get(backwards))]).toEqual([...backwards].map((node) => 10 * node));
      // An edge's weight is its source here, so weights tell that edges are numbered as the sources are.
      const edges = Int32Array.from({ length: dist.numEdges }, (_, edge) => edge);
      const weights = await dist.edata["weight"]!.get(edges);
      expect([...weights]).toEqual([...graph.parts[0]!.indices]);
    });
  });

  test("drawn in-edges are those that the sampler draws from the whole graph, with their weights", async () => {
    const nodes = Int32Array.of(4, 12, 0, 11, 7);
    const [block] = await createBlockSampler({ graph, fanouts: [2], replace: false, seed: 9 }).sample(nodes, {
      epoch: 3,
      step: 1,
    });
    const local = Array.from(block!.indices, (row) => block!.srcIds[row]);
    await onRanks(distRanks(worldSize), async (store) => {
      const dist = await create(store);
      const drawn = await dist.sampleNeighbors(nodes, 2, { seed: 9, epoch: 3, step: 1 });
      expect([...drawn.indptr]).toEqual([...block!.indptr]);
      expect([...drawn.entries]).toEqual(local);
      expect([...drawn.values!]).toEqual(local);
    });
  });

  test("whole in-neighbourhoods and the ends of edges are those of the list of edges", async () => {
    await onRanks(distRanks(worldSize), async (store) => {
      const dist = await create(store);
      const { indptr, entries } = await dist.inSubgraph(all);
      for (const node of all) {
        const sources = [...entries.subarray(indptr[node], indptr[node + 1])];
        expect(sources).toEqual([...neighborsOf(node)].toSorted((a, b) => a - b));
      }
      const edges = Int32Array.from({ length: dist.numEdges }, (_, edge) => dist.numEdges - 1 - edge);
      const ends = await dist.findEdges(edges);
      expect(ends.src.toReversed()).toEqual(entries);
      for (const [i, edge] of edges.entries()) {
        expect(neighborsOf(ends.dst[i]!)).toContain(ends.src[i]);
        expect(edge).toBeGreaterThanOrEqual(indptr[ends.dst[i]!]!);
        expect(edge).toBeLessThan(indptr[ends.dst[i]! + 1]!);
      }
    });
  });

  test("walks go to in-neighbours, end where there are none, and are the same on any number of ranks", async () => {
    const key = { seed: 3, epoch: 2 };
    const [whole] = await onRanks(distRanks(1), async (store) => (await create(store)).randomWalks(all, 5, key));
    await onRanks(distRanks(worldSize), async (store) => {
      const dist = await create(store);
      const walks = await dist.randomWalks(all, 5, key);
      expect(walks).toEqual(whole);
      for (const start of all) {
        const walk = [...walks.subarray(start * 6, start * 6 + 6)];
        expect(walk[0]).toBe(start);
        for (let hop = 1; hop <= 5; hop++) {
          const from = walk[hop - 1]!;
          const to = walk[hop]!;
          if (from === -1 || neighborsOf(from).size === 0) expect(to).toBe(-1);
          else expect(neighborsOf(from)).toContain(to);
        }
      }
      expect(await dist.randomWalks(all, 5, { ...key, round: 1 })).not.toEqual(whole);
    });
  });

  test("a split has every selected node once, even shares and equal steps, and is mostly local", async () => {
    const masks = fc.array(fc.integer({ min: 0, max: 2 }), { minLength: numNodes, maxLength: numNodes });
    let run = 0;
    const stores = distRanks(worldSize);
    const graphs = await onRanks(stores, create);
    await fc.assert(
      fc.asyncProperty(masks, fc.integer({ min: 1, max: 4 }), async (values, batchSize) => {
        const name = `mask-${run++}`;
        const shares = await Promise.all(
          graphs.map(async (dist, rank) => {
            const book = dist.book;
            const { first, count } = book.partToNodes(rank);
            const own = Int8Array.from(values.slice(first, first + count));
            const mask = await DistTensor.hosted(stores[rank]!, {
              name,
              dtype: "int8",
              rowShape: [],
              offsets: book.nodeOffsets,
              values: own,
            });
            return dist.nodeSplit(mask, 2);
          }),
        );
        const selected = [...all].filter((node) => values[node] === 2);
        expect(shares.flatMap(({ ids }) => [...ids])).toEqual(selected);
        const sizes = shares.map(({ ids }) => ids.length);
        expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
        expect(new Set(shares.map((share) => share.batches(batchSize).length)).size).toBe(1);
        for (const share of shares)
          expect(share.batches(batchSize).flatMap((batch) => [...batch])).toEqual([...share.ids]);
      }),
      { numRuns: 20 },
    );
  });

  test("edges are split alike, and rows made for nodes and edges lie with their owners", async () => {
    const shares = await onRanks(distRanks(worldSize), async (store) => {
      const dist = await create(store);
      const state = await dist.createNodeData("h", { dtype: "float32", rowShape: [2] });
      expect(await dist.createNodeData("h", { dtype: "float32", rowShape: [2] })).toBe(state);
      expect([state.shape, state.first]).toEqual([[numNodes, 2], dist.book.partToNodes(store.rank.rank).first]);
      const scores = await dist.createEdgeData("score", { dtype: "float32" });
      expect(scores.count).toBe(dist.book.partToEdges(store.rank.rank).count);
      return [...(await dist.edgeSplit()).ids];
    });
    expect(shares.flat()).toEqual([...graph.parts[0]!.indices.keys()]);
  });
});

test("4,097 seeds in batches of 1,024 are two steps on each of four ranks: none waits for a batch that does not come", async () => {
  const mask = new Int8Array(4097).fill(1);
  const shares = await onRanks(distRanks(4), async (store) => {
    const { rank } = store.rank;
    const path = await graphFromEdges({ src: [], dst: [], numNodes: 4097 });
    const dist = await DistGraph.create(store, "g", cutGraph(path, store.rank));
    const { first, count } = dist.book.partToNodes(rank);
    const values = mask.subarray(first, first + count);
    const tensor = await DistTensor.hosted(store, {
      name: "m",
      dtype: "int8",
      rowShape: [],
      offsets: dist.book.nodeOffsets,
      values,
    });
    return dist.nodeSplit(tensor);
  });
  expect(shares.map((share) => share.numSteps(1024))).toEqual([2, 2, 2, 2]);
});
