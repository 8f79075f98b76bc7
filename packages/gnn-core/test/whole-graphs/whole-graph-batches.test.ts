import { beforeAll, expect, test } from "vitest";
import { selectBackend } from "../../src/backends/select-backend.ts";
import { tidy } from "../../src/backends/tf.ts";
import { DenseFeatureStore } from "../../src/features/dense-feature-store.ts";
import type { Block } from "../../src/graph/block.ts";
import { graphFromRelations } from "../../src/graph/graph-from-relations.ts";
import { gin } from "../../src/models/gin.model.ts";
import { nn } from "../../src/nn/nn.ts";
import { createBlockSampler } from "../../src/sampling/block-sampler.ts";
import { epochSeeds } from "../../src/sampling/seed-split.ts";
import { withDegrees } from "../../src/sampling/with-degrees.ts";
import { layersInOrder } from "../../src/train/forward-pass.ts";
import type { TrainBatch } from "../../src/train/train-step.ts";
import { makeGraphHead } from "../../src/whole-graphs/graph-head.ts";
import { type GraphSet, graphSetOf, numGraphsOf } from "../../src/whole-graphs/graph-set.ts";
import { nodesOfGraphs, poolBlock } from "../../src/whole-graphs/pool-block.ts";
import { attentionReadout } from "../../src/whole-graphs/readouts/attention.ts";
import { maxReadout } from "../../src/whole-graphs/readouts/max.ts";
import { meanReadout } from "../../src/whole-graphs/readouts/mean.ts";
import { sumReadout } from "../../src/whole-graphs/readouts/sum.ts";
import { wholeGraphSampler } from "../../src/whole-graphs/whole-graph-sampler.ts";
import { expectClose } from "../support/check-op.ts";
import { randomFloats, seededRandom } from "../support/seeded-random.ts";

const numHops = 2;
const inDim = 3;
let set: GraphSet;

/** Graphs of 1 to 6 nodes with random edges, some without any. */
beforeAll(async () => {
  await selectBackend("native");
  const random = seededRandom(4);
  const graphOf = Array.from({ length: 9 }, (_, g) => g).flatMap((g) =>
    Array.from({ length: 1 + Math.floor(random() * 6) }, () => g),
  );
  const rows: [number, number][] = [];
  for (const [a, g] of graphOf.entries()) {
    for (const [b, h] of graphOf.entries()) if (g === h && g !== 3 && random() < 0.4) rows.push([a, b]);
  }
  const weights = randomFloats(rows.length, 2);
  set = await graphSetOf({ graphOf, src: rows.map(([a]) => a), dst: rows.map(([, b]) => b), weights });
});

const key = { epoch: 1, step: 0 };

/** The edges of a block, each as the GlobalIds of its ends and its weight */
const edgesOf = ({ indptr, indices, srcIds, numDst, weights }: Block) =>
  Array.from({ length: numDst }, (_, dst) =>
    [...indices.subarray(indptr[dst], indptr[dst + 1])].map((src, i) => [
      srcIds[src],
      srcIds[dst],
      weights?.[indptr[dst]! + i],
    ]),
  );

test("the block of a batch of graphs is what the sampler of all neighbours makes of their nodes, for every hop", async () => {
  const seeds = nodesOfGraphs(Int32Array.of(7, 0, 3, 5), set.offsets);
  const sampler = createBlockSampler({ graph: set.graph, fanouts: [-1, -1], replace: false, seed: 0 });
  const expected = await sampler.sample(seeds, key);
  const found = await wholeGraphSampler(set, numHops).sample(seeds, key);
  expect(found).toHaveLength(expected.length);
  for (const [hop, block] of found.entries()) {
    expect(block.numSrc).toBe(seeds.length);
    expect(block.srcIds).toEqual(expected[hop]!.srcIds);
    expect(edgesOf(block)).toEqual(edgesOf(expected[hop]!));
    expect([...block.reverse.indptr]).toEqual([...expected[hop]!.reverse.indptr]);
  }
});

test("the block keeps the type of every edge, ascending within the edges of a node", async () => {
  const numTypes = 3;
  const random = seededRandom(11);
  const pairs = Array.from(set.offsets.subarray(0, -1)).flatMap((first, g) => {
    const nodes = Array.from({ length: set.offsets[g + 1]! - first }, (_, i) => first + i);
    return nodes.flatMap((src) => nodes.map((dst) => ({ src, dst, type: Math.floor(random() * numTypes) })));
  });
  const ofType = (type: number) => pairs.filter((pair) => pair.type === type);
  const relations = Object.fromEntries(
    ["single", "double", "ring"].map((name, type) => {
      const rows = ofType(type);
      return [name, { src: rows.map(({ src }) => src), dst: rows.map(({ dst }) => dst) }];
    }),
  );
  const graph = await graphFromRelations({ numNodes: set.graph.numNodes, relations });
  const seeds = nodesOfGraphs(Int32Array.of(6, 1, 4), set.offsets);
  const [block] = await wholeGraphSampler({ ...set, graph }, 1).sample(seeds, key);
  const { indptr, indices, srcIds, types } = block!;
  const found = Array.from(seeds, (dst, row) =>
    Array.from({ length: indptr[row + 1]! - indptr[row]! }, (_, i) => indptr[row]! + i).map(
      (edge) => `${types![edge]}: ${srcIds[indices[edge]!]} → ${dst}`,
    ),
  );
  const expected = Array.from(seeds, (node) =>
    pairs
      .filter(({ dst }) => dst === node)
      .toSorted((a, b) => a.type - b.type || a.src - b.src)
      .map(({ src, dst, type }) => `${type}: ${src} → ${dst}`),
  );
  expect(found).toEqual(expected);
});

test("seeds that are a part of a graph are refused", async () => {
  const nodes = nodesOfGraphs(
    Int32Array.from({ length: numGraphsOf(set) }, (_, g) => g),
    set.offsets,
  );
  const large = Array.from(set.offsets.keys()).find((g) => set.offsets[g + 1]! - set.offsets[g]! > 1)!;
  const part = nodes.subarray(set.offsets[large], set.offsets[large]! + 1);
  await expect(wholeGraphSampler(set, 1).sample(part, key)).rejects.toMatchObject({ code: "SHAPE_MISMATCH" });
});

test("a block-diagonal batch gives each graph the rows that it has alone", async () => {
  const features = new DenseFeatureStore(inDim, [randomFloats(set.graph.numNodes * inDim, 8)]);
  const options = gin.options.parse({ hiddenFeats: 5, numLayers: numHops, dropout: 0 });
  const model = gin.create(options, { inDim, outDim: 4, seed: 1 }, nn);
  const head = makeGraphHead({
    readouts: [sumReadout, meanReadout, maxReadout, attentionReadout],
    dim: 4,
    outDim: 2,
    seed: 1,
    activation: "relu",
    hiddenFeats: 3,
    dropout: 0.5,
  });
  const sampler = withDegrees(wholeGraphSampler(set, numHops), set.graph);
  const outputsOf = async (graphs: Int32Array) => {
    const seeds = nodesOfGraphs(graphs, set.offsets);
    const blocks = await sampler.sample(seeds, key);
    return tidy(() => {
      const batch = { seeds, blocks, inputNodes: seeds, features: features.gather(seeds) } as unknown as TrainBatch;
      const context = { training: false, seed: 0, ...key };
      const { pool } = poolBlock(seeds, set.offsets);
      const read = head.embed(pool, layersInOrder(model).forward(batch, context));
      return head.apply(read, graphs, context).dataSync<"float32">().slice();
    });
  };
  const all = Int32Array.from({ length: numGraphsOf(set) }, (_, g) => numGraphsOf(set) - 1 - g);
  const together = await outputsOf(all);
  for (const [row, graph] of all.entries()) {
    expectClose(together.subarray(2 * row, 2 * row + 2), await outputsOf(Int32Array.of(graph)), 1e-5);
  }
  model.dispose();
  for (const { variable } of head.variables) variable.dispose();
});

test("an epoch has every graph once, whole, on one of the ranks, in an order of its own", () => {
  const graphs = Int32Array.from({ length: numGraphsOf(set) }, (_, g) => g);
  const stepsOf = (epoch: number, rank: number, worldSize: number) =>
    epochSeeds(graphs, { seed: 1, epoch, batchSize: 4, rank, worldSize });
  const seenBy = (worldSize: number) =>
    Array.from({ length: worldSize }, (_, rank) =>
      stepsOf(1, rank, worldSize).flatMap((graphsOfStep) => [...graphsOfStep]),
    ).flat();
  expect(seenBy(3).toSorted((a, b) => a - b)).toEqual([...graphs]);
  expect(stepsOf(1, 0, 3)).toHaveLength(stepsOf(1, 2, 3).length);
  expect(stepsOf(1, 0, 1)).not.toEqual(stepsOf(2, 0, 1));
  const nodes = stepsOf(1, 0, 1).flatMap((own) => [...nodesOfGraphs(own, set.offsets)]);
  expect(nodes.toSorted((a, b) => a - b)).toEqual(Array.from({ length: set.graph.numNodes }, (_, node) => node));
});
