import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { selectBackend } from "../../src/backends/select-backend.ts";
import { DenseFeatureStore } from "../../src/features/dense-feature-store.ts";
import { graphFromEdges } from "../../src/graph/graph-from-edges.ts";
import { inEdgeWeight } from "../../src/graph/in-edge-weight.ts";
import { PairIndex } from "../../src/graph/pair-index.ts";
import { linkBatches } from "../../src/links/link-batches.ts";
import { uniformTail } from "../../src/links/negatives/uniform-tail.ts";
import type { NodePairs } from "../../src/links/node-pairs.ts";
import { pairFigures } from "../../src/links/pair-figures.ts";
import { splitLinks } from "../../src/links/split-links.ts";
import { createBlockSampler } from "../../src/sampling/block-sampler.ts";
import { EdgeLoader, type EdgeMiniBatch } from "../../src/sampling/edge-loader.ts";
import { createLaborSampler } from "../../src/sampling/labor-blocks.ts";
import { withDegrees } from "../../src/sampling/with-degrees.ts";
import { withoutEdges } from "../../src/sampling/without-edges.ts";

beforeAll(() => selectBackend("native"));

const key = { epoch: 1, step: 0 };

function pairs(...rows: readonly (readonly [number, number])[]): NodePairs {
  const end = (at: 0 | 1) => Int32Array.from(rows, (row) => row[at]);
  return { src: end(0), dst: end(1) };
}

/** A matching: node 2i is linked with 2i + 1 and with nobody else, so that nothing but the link itself tells of it. */
const numNodes = 200;
const matching = pairs(...Array.from({ length: numNodes / 2 }, (_, i) => [2 * i, 2 * i + 1] as const));

/** What the message of one hop tells of a pair: whether either end hears from the other. */
function peek({ blocks: [block], seeds, srcRows, dstRows }: EdgeMiniBatch): Float32Array {
  const hears = (dst: number, src: number) => {
    const columns = block!.indices.subarray(block!.indptr[dst], block!.indptr[dst + 1]);
    return [...columns].some((row) => block!.srcIds[row] === seeds[src]);
  };
  return srcRows.map((src, i) => Number(hears(dstRows[i]!, src) || hears(src, dstRows[i]!))) as unknown as Float32Array;
}

async function aucOfPeeking(hides: boolean): Promise<number | null> {
  const sides = { type: "random", val: 0, test: 0, seed: 0 } as const;
  const split = await splitLinks(
    { ...matching, numNodes, directed: false },
    { sides, negatives: { perLink: 1, seed: 0 } },
  );
  const negatives = uniformTail({ perLink: 1, seed: 0, seen: split.seen });
  const plan = { ...split, negatives, seed: 0, epoch: 1, batchSize: 25, rank: 0, worldSize: 1 };
  const batches = [...linkBatches(plan)].map((batch) => (hides ? batch : { ...batch, without: pairs() }));
  const sampler = createBlockSampler({ graph: split.graph, fanouts: [-1], replace: false, seed: 0 });
  const scores = { links: [] as number[], negatives: [] as number[] };
  let step = 0;
  for await (const batch of new EdgeLoader({ sampler, graph: split.graph, features: null, batches })) {
    const { numLinks } = [...linkBatches(plan)][step++]!;
    const seen = peek(batch);
    scores.links.push(...seen.subarray(0, numLinks));
    scores.negatives.push(...seen.subarray(numLinks));
  }
  return pairFigures(Float32Array.from(scores.links), Float32Array.from(scores.negatives)).auc;
}

test("no link of the step carries a message: what the messages tell of it is chance, and all where they are not hidden", async () => {
  expect(await aucOfPeeking(true)).toBe(0.5);
  expect(await aucOfPeeking(false)).toBe(1);
});

test("blocks are those of a graph that never had the links, degrees included, at every hop", async () => {
  const edge = fc.tuple(fc.nat(9), fc.nat(9));
  const rows = fc.array(edge, { minLength: 1, maxLength: 30 });
  const choices = fc.record({ weighted: fc.boolean(), whole: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(rows, fc.array(fc.nat(29), { maxLength: 8 }), choices, async (drawn, picked, choice) => {
      const { weighted, whole } = choice;
      // With all nodes as seeds, hops share their arrays.
      const seeds = whole ? Int32Array.from({ length: 10 }, (_, node) => node) : Int32Array.of(0, 3, 5);
      const hidden = pairs(...picked.map((i) => drawn[i % drawn.length]!));
      const isHidden = (a: number, b: number) => hidden.src.some((src, i) => src === a && hidden.dst[i] === b);
      const left = drawn.filter(([a, b]) => !isHidden(a, b) && !isHidden(b, a));
      const blocksOf = async (list: readonly (readonly [number, number])[]) => {
        const weights = weighted ? list.map(([a, b]) => 1 + Math.min(a, b)) : null;
        const edges = { ...pairs(...list), numNodes: 10, directed: false, ...(weights && { weights }) };
        const graph = await graphFromEdges(edges);
        const sampler = withDegrees(createBlockSampler({ graph, fanouts: [-1, -1], replace: false, seed: 0 }), graph);
        return { graph, blocks: await sampler.sample(seeds, key) };
      };
      const all = await blocksOf(drawn);
      const found = await withoutEdges(all.blocks, hidden, all.graph);
      const { blocks: expected } = await blocksOf(left);
      for (const [hop, block] of found.entries()) {
        // Hidden edges leave rows behind that nobody hears from: the others are compared.
        const { srcIds, numDst } = expected[hop]!;
        const nodes = srcIds.subarray(0, numDst);
        expect(edgesInto(block, nodes)).toEqual(edgesInto(expected[hop]!, nodes));
      }
    }),
    { numRuns: 30 },
  );
});

type Blocks = Awaited<ReturnType<ReturnType<typeof createBlockSampler>["sample"]>>;

/** Degree and in-edges of some dst rows, by the ids of nodes */
function edgesInto(
  { numDst, srcIds, indptr, indices, weights, srcDegrees, reverse }: Blocks[number],
  nodes: Int32Array,
) {
  expect(reverse.indptr.at(-1)).toBe(indices.length);
  const rowOf = new Map(Array.from(srcIds.subarray(0, numDst), (node, row) => [node, row]));
  return Array.from(nodes, (node) => {
    const dst = rowOf.get(node)!;
    const range = Array.from({ length: indptr[dst + 1]! - indptr[dst]! }, (_edge, i) => indptr[dst]! + i);
    const from = range.map((e) => [srcIds[indices[e]!]!, weights?.[e] ?? 1]).toSorted((a, b) => a[0]! - b[0]!);
    return { node, degree: srcDegrees![dst]!, from };
  });
}

test("the ends of pairs are seeds once each, and pairs know their rows", async () => {
  const graph = await graphFromEdges({ ...matching, numNodes, directed: false });
  const sampler = createBlockSampler({ graph, fanouts: [-1], replace: false, seed: 0 });
  const features = new DenseFeatureStore(1, [Float32Array.from({ length: numNodes }, (_, node) => node)]);
  const batches = [
    { ...key, pairs: pairs([7, 3], [3, 9], [7, 7]), without: pairs() },
    { ...key, step: 1, pairs: pairs(), without: pairs([0, 1]) },
  ];
  const made: EdgeMiniBatch[] = [];
  for await (const batch of new EdgeLoader({ sampler, graph, features, batches })) made.push(batch);
  const [first, second] = made;
  expect([[...first!.seeds], [...first!.srcRows], [...first!.dstRows]]).toEqual([
    [3, 7, 9],
    [1, 0, 1],
    [0, 2, 1],
  ]);
  expect([...first!.features!.values].slice(0, 3)).toEqual([3, 7, 9]);
  expect([second!.seeds.length, second!.srcRows.length]).toEqual([0, 0]);
});

test("weights that speak for edges not drawn are refused", async () => {
  const graph = await graphFromEdges({ src: [0, 1, 2, 3, 4], dst: [5, 5, 5, 5, 5] });
  const options = {
    graph,
    fanouts: [2],
    iterations: 1,
    layerDependency: false,
    fixedSize: true,
    normalize: true,
    seed: 0,
  };
  const blocks = await createLaborSampler(options).sample(Int32Array.of(5), key);
  await expect(withoutEdges(blocks, pairs([0, 5]), graph)).rejects.toThrow("weighs its draws");
});

test("the weight of an edge is the sum of its repetitions, 0 where there is none", async () => {
  const edges = { src: [0, 2, 0, 1], dst: [3, 3, 3, 0], weights: [1.5, 4, 2, 8], duplicates: "keep" as const };
  const graph = await graphFromEdges(edges);
  expect([inEdgeWeight(graph, 0, 3), inEdgeWeight(graph, 1, 3), inEdgeWeight(graph, 2, 3)]).toEqual([3.5, 0, 4]);
  const { weights: _, ...plain } = edges;
  expect(inEdgeWeight(await graphFromEdges(plain), 0, 3)).toBe(2);
});

test("ranks share the links of each step, every link of an epoch comes once, and either end may be replaced", async () => {
  const split = await splitLinks(
    { ...matching, numNodes, directed: false },
    { sides: { type: "random", val: 0.1, test: 0.1, seed: 0 }, negatives: { perLink: 1, seed: 0 } },
  );
  const negatives = uniformTail({ perLink: 2, seed: 0, seen: split.seen });
  const plan = (rank: number, worldSize: number, epoch = 1) => [
    ...linkBatches({ ...split, negatives, seed: 0, epoch, batchSize: 33, rank, worldSize }),
  ];
  const [one, first, second] = [plan(0, 1), plan(0, 2), plan(1, 2)];
  expect(one.map(({ numLinks }) => numLinks)).toEqual([33, 33, 14]); // 80 links
  const whole = one.flatMap(({ pairs: { src, dst }, numLinks }) => rowsOf({ src, dst }).slice(0, numLinks));
  expect(new Set(whole.map((link) => [...link].toSorted((a, b) => a - b).join())).size).toBe(80);
  expect(new Set(whole.map(([src]) => src! % 2)).size).toBe(2);
  for (const [step, { pairs: all, numLinks, without }] of one.entries()) {
    const halves = [first[step]!, second[step]!];
    const links = halves.flatMap((half) => rowsOf(half.pairs).slice(0, half.numLinks));
    const others = halves.flatMap((half) => rowsOf(half.pairs).slice(half.numLinks));
    expect([...links, ...others]).toEqual(rowsOf(all));
    expect(links).toEqual(rowsOf(all).slice(0, numLinks));
    expect(halves.map((half) => half.without)).toEqual([without, without]);
  }
  expect(plan(0, 1, 2)[0]!.pairs).not.toEqual(one[0]!.pairs);
});

test("a step may have more pairs than a call has arguments", async () => {
  const many = { src: new Int32Array(200_000), dst: Int32Array.from({ length: 200_000 }, (_, i) => i + 1) };
  const seen = await PairIndex.of({ src: new Int32Array(1), dst: Int32Array.of(1) }, 200_001, false);
  const negatives = uniformTail({ perLink: 1, seed: 0, seen });
  const plan = {
    train: many,
    directed: false,
    negatives,
    seed: 0,
    epoch: 1,
    batchSize: 2 ** 18,
    rank: 0,
    worldSize: 1,
  };
  expect([...linkBatches(plan)].map(({ pairs: { src } }) => src.length)).toEqual([2 * 200_000]);
});

function rowsOf({ src, dst }: NodePairs): number[][] {
  return Array.from(src, (from, i) => [from, dst[i]!]);
}
