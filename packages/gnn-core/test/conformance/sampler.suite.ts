import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Block, Importance } from "../../src/graph/block.ts";
import type { CscGraph } from "../../src/graph/csc-graph.ts";
import { NodeLoader } from "../../src/sampling/node-loader.ts";
import type { Sampler, SamplerContext } from "../../src/sampling/sampler.ts";
import { cutInto, type Edges, edgeArrays, inNeighbors } from "../support/graphs.ts";
import { seededRandom } from "../support/seeded-random.ts";

export interface SamplerCase {
  readonly name: string;
  readonly numHops: number;
  readonly create: (context: SamplerContext) => Sampler | Promise<Sampler>;
  /** How many in-neighbours a node of this in-degree contributes at a hop (0 = from the seeds); or [least, most]. */
  readonly expectedPicks: (degree: number, hop: number) => number | readonly [number, number];
  readonly replace: boolean;
  /** Whether edges have weights */
  readonly weighted?: boolean;
  /** Whether what a node draws depends on the other nodes of its batch */
  readonly dependsOnBatch?: boolean;
  /** Whether blocks carry importance weights, and whether those of a row add up to its number of in-edges */
  readonly importance?: "none" | "normalised" | "inverse probability";
}

const graphAndSeeds = fc.integer({ min: 1, max: 20 }).chain((numNodes) =>
  fc.record({
    numNodes: fc.constant(numNodes),
    edges: edgeArrays(numNodes, 90),
    seeds: fc.uniqueArray(fc.integer({ min: 0, max: numNodes - 1 })),
    numParts: fc.integer({ min: 1, max: 4 }),
    key: fc.record({ epoch: fc.nat(50), step: fc.nat(50) }),
    seed: fc.nat(2 ** 31 - 1),
  }),
);

/** What every node-wise sampler promises: applied to each implementation. */
export function samplerSuite(samplerCase: SamplerCase): void {
  const { name, numHops, create, expectedPicks, replace, weighted = false, importance = "none" } = samplerCase;
  const withWeights = (edges: Edges) => (weighted ? { ...edges, weights: weightsOf(edges) } : edges);
  const check = (property: (run: Run) => void | Promise<void>) =>
    fc.assert(
      fc.asyncProperty(graphAndSeeds, async ({ numNodes, edges, seeds, numParts, key, seed }) => {
        const graph = await cutInto(numParts, numNodes, withWeights(edges));
        const sampler = await create({ graph, numHops, seed });
        const blocks = await sampler.sample(Int32Array.from(seeds), key);
        await property({ graph, sampler, blocks, seeds, key, neighbors: inNeighbors(numNodes, edges) });
      }),
      { numRuns: 60 },
    );

  describe(`sampler ${name}`, () => {
    test("the last block ends in the seeds, and each block begins with the next one's nodes", () =>
      check(({ blocks, seeds }) => {
        expect(blocks).toHaveLength(numHops);
        expect([...dstIds(blocks.at(-1)!)]).toEqual(seeds);
        for (const [i, block] of blocks.slice(1).entries()) {
          expect([...dstIds(blocks[i]!)]).toEqual([...block.srcIds]);
        }
      }));

    test("every dst has the expected number of in-neighbours of its own, ascending", () =>
      check(({ blocks, neighbors }) => {
        for (const [i, block] of blocks.entries()) {
          const hop = numHops - 1 - i;
          for (let dst = 0; dst < block.numDst; dst++) {
            const all = neighbors[block.srcIds[dst]!]!;
            const picked = pickedOf(block, dst);
            const [least, most] = [expectedPicks(all.length, hop)].flat() as [number, number?];
            expect(picked.length).toBeGreaterThanOrEqual(least);
            expect(picked.length).toBeLessThanOrEqual(most ?? least);
            expect(picked).toEqual(picked.toSorted((a, b) => a - b));
            expect(isSubMultiset(picked, all, replace)).toBe(true);
          }
        }
      }));

    test("each src row is one node, and the reverse lists the same edges", () =>
      check(({ blocks }) => {
        for (const block of blocks) {
          expect(block.srcIds).toHaveLength(block.numSrc);
          expect(new Set(block.srcIds).size).toBe(block.numSrc);
          expect(edgesOfReverse(block)).toEqual(edgesOf(block).toSorted(bySrcThenEdge));
        }
      }));

    test("the same key gives the same blocks, in flight together or one by one", () =>
      check(async ({ sampler, blocks, seeds, key }) => {
        const again = await Promise.all([1, 2, 3].map(() => sampler.sample(Int32Array.from(seeds), key)));
        for (const other of again) expect(other).toEqual(blocks);
      }));

    test("edges bring the weights of the graph, and importance weights when they are not drawn alike", () =>
      check(({ blocks, neighbors }) => {
        for (const block of blocks) {
          expect(block.weights === null).toBe(!weighted);
          if (block.weights) expect([...block.weights]).toEqual(expectedWeights(block));
          expect(block.importance === undefined).toBe(importance === "none");
          if (block.importance) checkImportance(block, block.importance, neighbors, importance);
        }
      }));

    test.skipIf(samplerCase.dependsOnBatch)("a node draws the same neighbours whatever batch it is in", () =>
      check(async ({ sampler, blocks, seeds, key }) => {
        const last = blocks.at(-1)!;
        for (const [dst, seed] of seeds.entries()) {
          const alone = (await sampler.sample(Int32Array.of(seed), key)).at(-1)!;
          expect(pickedOf(alone, 0)).toEqual(pickedOf(last, dst));
        }
      }),
    );

    test("no seeds give blocks without rows", async () => {
      const graph = await cutInto(2, 5, withWeights({ src: [0, 1], dst: [2, 3] }));
      const sampler = await create({ graph, numHops, seed: 0 });
      const blocks = await sampler.sample(new Int32Array(0), { epoch: 0, step: 0 });
      expect(blocks.map(({ numSrc, numDst, indptr }) => [numSrc, numDst, [...indptr]])).toEqual(
        Array.from({ length: numHops }, () => [0, 0, [0]]),
      );
    });

    test("a node without in-neighbours is its own only row", async () => {
      const graph = await cutInto(2, 5, withWeights({ src: [0], dst: [1] }));
      const sampler = await create({ graph, numHops, seed: 0 });
      const blocks = await sampler.sample(Int32Array.of(3), { epoch: 0, step: 0 });
      expect(blocks.map(({ srcIds, indptr }) => [[...srcIds], [...indptr]])).toEqual(
        Array.from({ length: numHops }, () => [[3], [0, 0]]),
      );
    });

    test.each([1, 2, 4])("%d sampler threads give the same batches in the same order", async (threads) => {
      const numNodes = 200;
      const random = seededRandom(4);
      const nodes = () => Array.from({ length: 1500 }, () => Math.floor(random() * numNodes));
      const edges = { src: nodes(), dst: nodes() };
      const graph = await cutInto(2, numNodes, withWeights(edges));
      const sampler = await create({ graph, numHops, seed: 3 });
      const batches = Array.from({ length: 12 }, (_, step) => ({
        seeds: Int32Array.from({ length: 20 }, (_seed, i) => (step * 13 + i * 7) % numNodes),
        epoch: 1,
        step,
      }));
      const loader = new NodeLoader({ sampler, features: null, labels: null, batches, threads, prefetch: threads + 1 });
      let step = 0;
      for await (const batch of loader) {
        const { seeds, ...key } = batches[step++]!;
        expect(batch).toMatchObject(key);
        expect(batch.blocks).toEqual(await sampler.sample(seeds, key));
      }
      expect(step).toBe(batches.length);
    });

    test("a seed outside the graph is refused", async () => {
      const graph = await cutInto(1, 3, withWeights({ src: [0], dst: [1] }));
      const sampler = await create({ graph, numHops, seed: 0 });
      const sampled = sampler.sample(Int32Array.of(3), { epoch: 0, step: 0 });
      await expect(sampled).rejects.toMatchObject({ name: "GnnError", code: "SHAPE_MISMATCH" });
    });

    test("does nothing once aborted", async () => {
      const graph = await cutInto(1, 3, withWeights({ src: [0], dst: [1] }));
      const sampler = await create({ graph, numHops, seed: 0 });
      const sampled = sampler.sample(Int32Array.of(1), { epoch: 0, step: 0 }, AbortSignal.abort());
      await expect(sampled).rejects.toThrow(/abort/);
    });
  });
}

interface Run {
  readonly graph: CscGraph;
  readonly sampler: Sampler;
  readonly blocks: readonly Block[];
  readonly seeds: readonly number[];
  readonly key: { readonly epoch: number; readonly step: number };
  readonly neighbors: readonly (readonly number[])[];
}

function dstIds(block: Block): Int32Array {
  return block.srcIds.subarray(0, block.numDst);
}

/** GlobalIds of the sampled in-neighbours of a dst row. */
export function pickedOf(block: Block, dst: number): number[] {
  return Array.from(block.indices.subarray(block.indptr[dst], block.indptr[dst + 1]), (src) => block.srcIds[src]!);
}

/** A weight for every edge that its ends decide, so that it can be told from the block. */
function weightsOf({ src, dst }: Edges): number[] {
  return src.map((from, i) => weightOf(from, dst[i]!));
}

function weightOf(src: number, dst: number): number {
  return 1 + ((src * 7 + dst * 3) % 5);
}

function expectedWeights(block: Block): number[] {
  return Array.from(dstIds(block)).flatMap((dst, row) => pickedOf(block, row).map((src) => weightOf(src, dst)));
}

function checkImportance(
  block: Block,
  { sum, mean }: Importance,
  neighbors: readonly (readonly number[])[],
  kind: SamplerCase["importance"],
): void {
  for (let dst = 0; dst < block.numDst; dst++) {
    const degree = neighbors[block.srcIds[dst]!]!.length;
    const begin = block.indptr[dst]!;
    const end = block.indptr[dst + 1]!;
    const sums = sum.subarray(begin, end);
    for (let e = begin; e < end; e++) {
      expect(sum[e]).toBeGreaterThan(0);
      expect(mean[e]! * degree).toBeCloseTo(sum[e]!, 3);
    }
    if (kind === "normalised" && end > begin) expect(sums.reduce((a, b) => a + b)).toBeCloseTo(degree, 3);
  }
}

function isSubMultiset(picked: readonly number[], all: readonly number[], replace: boolean): boolean {
  if (replace) return picked.every((node) => all.includes(node));
  const left = [...all];
  return picked.every((node) => {
    const at = left.indexOf(node);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
}

type Edge = readonly [src: number, dst: number, edge: number];

function edgesOf({ indptr, indices, numDst }: Block): Edge[] {
  return Array.from({ length: numDst }, (_, dst) => dst).flatMap((dst) =>
    Array.from(indices.subarray(indptr[dst], indptr[dst + 1]), (src, k): Edge => [src, dst, indptr[dst]! + k]),
  );
}

function edgesOfReverse({ reverse, numSrc }: Block): Edge[] {
  return Array.from({ length: numSrc }, (_, src) => src).flatMap((src) =>
    Array.from(
      reverse.indices.subarray(reverse.indptr[src], reverse.indptr[src + 1]),
      (dst, k): Edge => [src, dst, reverse.edges[reverse.indptr[src]! + k]!],
    ),
  );
}

function bySrcThenEdge(a: Edge, b: Edge): number {
  return a[0] - b[0] || a[2] - b[2];
}
