import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { activeCuda } from "../../src/backends/active-cuda.ts";
import type { CudaBackend } from "../../src/backends/cuda/cuda-backend.ts";
import type { FloatsHandle } from "../../src/backends/cuda/memory-addon.ts";
import { HeldFloats } from "../../src/backends/memory.ts";
import { selectBackend } from "../../src/backends/select-backend.ts";
import { type Tensor2D, tensor2d, tidy } from "../../src/backends/tf.ts";
import type { Block } from "../../src/graph/block.ts";
import { graphFromEdges } from "../../src/graph/graph-from-edges.ts";
import { releaseBlocks } from "../../src/graph/release-blocks.ts";
import { graphTerms } from "../../src/host/graph-placement.ts";
import { gcnWeights } from "../../src/ops/gcn-norm.ts";
import { inclusiveWeights, neighborSum } from "../../src/ops/neighbor-weights.ts";
import { spmmMean } from "../../src/ops/spmm.ts";
import { spmmMax } from "../../src/ops/spmm-max.ts";
import { symmetricWeights } from "../../src/ops/symmetric-norm.ts";
import { type BlockWeights, weightedSpmm } from "../../src/ops/weighted-spmm.ts";
import { createBlockSampler } from "../../src/sampling/block-sampler.ts";
import { WholeGraphSampler } from "../../src/sampling/whole-graph-sampler.ts";
import { withDegrees } from "../../src/sampling/with-degrees.ts";
import { withoutEdges } from "../../src/sampling/without-edges.ts";
import { collectGarbage } from "../support/collect-garbage.ts";
import { emulated, useEmulatedDevice } from "../support/cuda-emulated.ts";
import { randomFloats } from "../support/seeded-random.ts";

const key = { epoch: 0, step: 0 };
const numNodes = 17;
const numHops = 3;

useEmulatedDevice();
beforeAll(() => selectBackend("cuda", emulated));

const cuda = () => activeCuda() as CudaBackend;
const allNodes = Int32Array.from({ length: numNodes }, (_, node) => node);

const node = fc.nat(numNodes - 1);
/** Edges with loops and parallel ones, and pairs: some that are edges, in either direction, and some that are none */
const cases = fc.record({
  edges: fc.array(fc.tuple(node, node), { maxLength: 90 }),
  picked: fc.array(fc.tuple(fc.nat(89), fc.boolean()), { maxLength: 12 }),
  others: fc.array(fc.tuple(node, node), { maxLength: 4 }),
});
type Case = typeof cases extends fc.Arbitrary<infer T> ? T : never;

function columns(rows: readonly (readonly [number, number])[]) {
  const [src, dst] = [0, 1].map((end) => Int32Array.from(rows, (row) => row[end]!)) as [Int32Array, Int32Array];
  return { src, dst };
}

function pairsOf({ edges, picked, others }: Case) {
  const ofEdges = picked.flatMap(([at, isTurned]): [number, number][] => {
    const edge = edges[at % Math.max(1, edges.length)];
    return edge ? [isTurned ? [edge[1], edge[0]] : edge] : [];
  });
  return columns([...ofEdges, ...others]);
}

/** The hop without the edges: by the device, and of a graph that was made without them. */
async function bothOf(given: Case) {
  const graph = await graphFromEdges({ numNodes, ...columns(given.edges) });
  const pairs = pairsOf(given);
  const host = withDegrees(createBlockSampler({ graph, fanouts: [-1, -1, -1], replace: false, seed: 1 }), graph);
  const sampler = await WholeGraphSampler.create(cuda(), { graph, numHops, host });
  const found = await sampler.sampleWithout(allNodes, pairs, key);
  const isGone = ([u, v]: readonly [number, number]) =>
    Array.from(pairs.src.keys()).some((i) => {
      const [a, b] = [pairs.src[i], pairs.dst[i]];
      return (a === u && b === v) || (a === v && b === u);
    });
  const rebuilt = await graphFromEdges({ numNodes, ...columns(given.edges.filter((edge) => !isGone(edge))) });
  const ofRebuilt = { graph: rebuilt, fanouts: [-1, -1, -1], replace: false, seed: 1 };
  const expected = await withDegrees(createBlockSampler(ofRebuilt), rebuilt).sample(allNodes, key);
  const taken = await withoutEdges(await host.sample(allNodes, key), pairs, graph);
  const end = () => {
    releaseBlocks(found, new Int32Array());
    sampler.dispose();
  };
  return { found: found[0]!, hops: found.length, expected: expected[0]!, taken: taken[0]!, end };
}

function plain({ numSrc, numDst, indptr, indices, srcIds, reverse }: Block) {
  const lists = { indptr, indices, srcIds, bySrc: reverse.indptr, dst: reverse.indices, places: reverse.edges };
  return { numSrc, numDst, ...Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, [...list]])) };
}

function read(values: BlockWeights["edgeWeights"], count: number): Float32Array | null {
  if (!(values instanceof HeldFloats)) return values;
  const floats = new Float32Array(count);
  cuda().addon.download(values.handle as FloatsHandle, floats);
  return floats;
}

const bits = (values: Float32Array | null) => values && [...new Int32Array(Float32Array.from(values).buffer)];

describe("a whole graph on a device, without the edges of a step", () => {
  test("has the edges of a graph that was made without them, by dst and by src, and the weights of its degrees", async () => {
    await fc.assert(
      fc.asyncProperty(cases, async (given) => {
        const { found, hops, expected, taken, end } = await bothOf(given);
        expect(hops).toBe(numHops);
        for (const weightsOf of [symmetricWeights, gcnWeights, inclusiveWeights, neighborSum]) {
          const [ofDevice, ofHost] = [weightsOf(found), weightsOf(expected)];
          const count = expected.indices.length;
          // The sum's weights are all 1, which need not be read.
          expect(bits(read(ofDevice.edgeWeights, count)) ?? []).toEqual(bits(read(ofHost.edgeWeights, count)) ?? []);
          expect(bits(read(ofDevice.selfWeights, numNodes))).toEqual(bits(read(ofHost.selfWeights, numNodes)));
        }
        expect(plain(found)).toEqual(plain(expected));
        expect(plain(taken)).toEqual(plain(expected));
        expect(taken.srcDegrees).toEqual(expected.srcDegrees);
        end();
      }),
      { numRuns: 60 },
    );
  });

  test("sums, averages and takes the maximum with the bits of that graph, whatever those that went would have sent", async () => {
    const infinite = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    await fc.assert(
      fc.asyncProperty(cases, fc.array(node, { maxLength: 3 }), async (given, wild) => {
        const { found, expected, end } = await bothOf(given);
        const values = randomFloats(numNodes * 5, 3);
        for (const [i, row] of wild.entries()) values.fill(infinite[i % 3]!, row * 5, row * 5 + 5);
        const ops: readonly ((block: Block, x: Tensor2D) => Tensor2D)[] = [
          (block, x) => weightedSpmm(block, x, symmetricWeights(block)),
          (block, x) => weightedSpmm(block, x, gcnWeights(block)),
          spmmMean,
          spmmMax,
        ];
        for (const op of ops) {
          const out = (block: Block) => tidy(() => op(block, tensor2d(values, [numNodes, 5])).dataSync<"float32">());
          expect(bits(out(found))).toEqual(bits(out(expected)));
        }
        end();
      }),
      { numRuns: 25 },
    );
  });

  test("carries nothing along the edge of a pair, its reverse or those beside it, and all else as before", async () => {
    const edges: [number, number][] = [
      [1, 2],
      [2, 1],
      [1, 2],
      [3, 2],
      [2, 3],
      [4, 4],
    ];
    const given = {
      edges,
      picked: [],
      others: [
        [2, 1],
        [4, 4],
      ] as [number, number][],
    };
    const { found, end } = await bothOf(given);
    const x = Float32Array.from({ length: numNodes }, (_, row) => 10 ** (row % 5));
    const sums = tidy(() => weightedSpmm(found, tensor2d(x, [numNodes, 1]), neighborSum(found)).dataSync<"float32">());
    expect(sums.slice(1, 5)).toEqual(Float32Array.of(0, 1000, 100, 0));
    end();
  });

  test("is the host's where a step begins with some nodes alone, and once the host has read its edges", async () => {
    const graph = await graphFromEdges({
      numNodes,
      ...columns([
        [1, 2],
        [2, 1],
        [5, 6],
      ]),
    });
    const host = createBlockSampler({ graph, fanouts: [-1], replace: false, seed: 1 });
    const sampler = await WholeGraphSampler.create(cuda(), { graph, numHops: 1, host });
    const pairs = columns([[1, 2]]);
    const [some] = await sampler.sampleWithout(Int32Array.of(2, 6), pairs, key);
    expect([some!.device, [...some!.srcIds], [...some!.indices]]).toEqual(["cpu", [2, 6, 1, 5], [3]]);
    const [whole] = await sampler.sampleWithout(allNodes, pairs, key);
    const before = cuda().readBacks;
    expect([whole!.device, [...whole!.indices]]).toEqual(["cuda", [5]]);
    expect(cuda().readBacks - before).toBe(1);
    expect((await sampler.sampleWithout(allNodes, pairs, key))[0]!.device).toBe("cpu");
    releaseBlocks([whole!], new Int32Array());
    sampler.dispose();
  });

  test("gives back every byte, and uploads two ids for each pair", async () => {
    const { addon } = cuda();
    await collectGarbage();
    const taken = () => {
      addon.synchronize();
      return addon.deviceCounters().takenBytes;
    };
    const empty = taken();
    const edges = Array.from({ length: 200 }, (_, i): [number, number] => [(i * 7) % numNodes, (i * 3 + 1) % numNodes]);
    const graph = await graphFromEdges({ numNodes, ...columns(edges) });
    const host = createBlockSampler({ graph, fanouts: [-1, -1, -1], replace: false, seed: 1 });
    const sampler = await WholeGraphSampler.create(cuda(), { graph, numHops, host });
    const held = taken();
    expect(held).toBeGreaterThan(empty);
    for (let step = 0; step < 6; step += 3) {
      const before = addon.deviceCounters();
      const steps = [0, 1, 2].map((ahead) =>
        sampler.sampleWithout(allNodes, columns(edges.slice(0, 5)), { epoch: 0, step: step + ahead }),
      );
      for (const blocks of await Promise.all(steps)) {
        symmetricWeights(blocks[0]!);
        gcnWeights(blocks[0]!);
        releaseBlocks(blocks, new Int32Array());
      }
      expect(addon.deviceCounters().uploadedBytes - before.uploadedBytes).toBe(3 * 5 * 2 * 4);
    }
    expect(taken()).toBe(held);
    sampler.dispose();
    expect(taken()).toBe(empty);
  });

  test("takes what the estimate counts, but for pieces that are rounded up by an eighth", async () => {
    const { addon } = cuda();
    const many = 3000;
    const edges = Array.from({ length: 60_000 }, (_, i): [number, number] => [(i * 7919) % many, (i * 31 + 7) % many]);
    const graph = await graphFromEdges({ numNodes: many, ...columns(edges) });
    await collectGarbage();
    const taken = () => {
      addon.synchronize();
      return addon.deviceCounters().takenBytes;
    };
    const before = taken();
    const host = createBlockSampler({ graph, fanouts: [-1], replace: false, seed: 1 });
    const sampler = await WholeGraphSampler.create(cuda(), { graph, numHops: 1, host });
    const size = { numNodes: many, numEdges: graph.numEdges, isWeighted: false, isWhole: true };
    const [held, ahead] = graphTerms(size, { rows: many, edges: graph.numEdges }).map(({ amount }) => amount);
    expect(taken() - before).toBeLessThanOrEqual(held! * 1.125 + 8192);
    expect(taken() - before).toBeGreaterThan(held! * 0.99);
    const all = Int32Array.from({ length: many }, (_, node) => node);
    const made: (readonly Block[])[] = [];
    for (const step of [0, 1, 2, 3]) {
      made.push(await sampler.sampleWithout(all, columns(edges.slice(step, step + 9)), { epoch: 0, step }));
      gcnWeights(made.at(-1)![0]!);
    }
    // What marks the edges is given back before it is counted.
    const marks = 4 * 4 * graph.numEdges;
    expect(taken() - before).toBeLessThanOrEqual((held! + ahead! - marks) * 1.125 + 8192);
    expect(taken() - before).toBeGreaterThan((held! + ahead! - marks) * 0.99);
    for (const blocks of made) releaseBlocks(blocks, new Int32Array());
    sampler.dispose();
  });

  test("is refused of foreign nodes, columns out of order and a graph that was given back", async () => {
    const graph = await graphFromEdges({
      numNodes,
      ...columns([
        [1, 2],
        [3, 2],
        [5, 6],
      ]),
    });
    const host = createBlockSampler({ graph, fanouts: [-1], replace: false, seed: 1 });
    const create = (changed: object) =>
      WholeGraphSampler.create(cuda(), {
        graph: { ...graph, parts: [{ ...graph.parts[0]!, ...changed }] },
        numHops: 1,
        host,
      });
    await expect(create({ indices: Int32Array.of(3, 1, 5) })).rejects.toMatchObject({
      code: "SHAPE_MISMATCH",
      message: expect.stringContaining("The in-edges of node 2 are not in the order of their sources"),
    });
    const sampler = await create({});
    await expect(sampler.sampleWithout(allNodes, columns([[1, numNodes]]), key)).rejects.toMatchObject({
      code: "SHAPE_MISMATCH",
      message: `Node ${numNodes} is not in the graph of ${numNodes} nodes.`,
    });
    sampler.dispose();
    await expect(sampler.sampleWithout(allNodes, columns([[1, 2]]), key)).rejects.toMatchObject({
      code: "SHAPE_MISMATCH",
    });
  });
});
