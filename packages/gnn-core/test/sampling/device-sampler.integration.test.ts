import { beforeAll, describe, expect, test } from "vitest";
import { activeCuda } from "../../src/backends/active-cuda.ts";
import type { CudaBackend } from "../../src/backends/cuda/cuda-backend.ts";
import { selectBackend } from "../../src/backends/select-backend.ts";
import { soloRank } from "../../src/dist/solo-rank.ts";
import { GnnError } from "../../src/errors/gnn-error.ts";
import type { Block } from "../../src/graph/block.ts";
import type { CscGraph } from "../../src/graph/csc-graph.ts";
import { graphFromEdges } from "../../src/graph/graph-from-edges.ts";
import { releaseBlocks } from "../../src/graph/release-blocks.ts";
import { samplingWords } from "../../src/host/graph-placement.ts";
import { sage } from "../../src/models/sage.model.ts";
import { nn } from "../../src/nn/index.ts";
import { createBlockSampler } from "../../src/sampling/block-sampler.ts";
import { DeviceSampler } from "../../src/sampling/device-sampler.ts";
import type { Sampler } from "../../src/sampling/sampler.ts";
import { withDegrees } from "../../src/sampling/with-degrees.ts";
import { placeForDevice } from "../../src/train/place-for-device.ts";
import { Trainer } from "../../src/train/trainer.ts";
import { collectGarbage } from "../support/collect-garbage.ts";
import { emulated, useEmulatedDevice } from "../support/cuda-emulated.ts";
import { waitsOfSteps } from "../support/waits-of-steps.ts";
import { communityData } from "../train/support/community-data.ts";

const numNodes = 60;
const edges = Int32Array.from({ length: 700 }, (_, i) => i);
const src = edges.map((i) => (i * i * 7 + i) % numNodes);
const dst = edges.map((i) => (i * 5 + 1) % numNodes);
const weights = Float32Array.from(edges, (i) => 1 + (i % 9) / 8);
const draws = { fanouts: [4, 3, 2], replace: false };
const seeds = Int32Array.of(1, 4, 7, 59);

useEmulatedDevice();
beforeAll(() => selectBackend("cuda", emulated));

function cuda(): CudaBackend {
  return activeCuda() as CudaBackend;
}

/** The graph in two parts */
function inTwoParts(graph: CscGraph): CscGraph {
  const [whole] = graph.parts;
  const { indptr, indices, weights } = whole!;
  const cut = 23;
  const at = Number(indptr[cut]);
  const parts = [
    { firstNode: 0, numNodes: cut, indptr: indptr.slice(0, cut + 1), indices: indices.slice(0, at), weights: null },
    {
      firstNode: cut,
      numNodes: numNodes - cut,
      indptr: indptr.slice(cut).map((offset) => offset - BigInt(at)),
      indices: indices.slice(at),
      weights: null,
    },
  ].map((part, i) => ({ ...part, weights: weights && (i === 0 ? weights.slice(0, at) : weights.slice(at)) }));
  return { ...graph, parts };
}

function samplersOf(graph: CscGraph, { fanouts, replace }: typeof draws, needsDegrees = false) {
  const host = createBlockSampler({ graph, fanouts, replace, seed: 3 });
  const options = { cuda: cuda(), graph, fanouts, replace, seed: 3, withDegrees: needsDegrees, host };
  return { host: needsDegrees ? withDegrees(host, graph) : host, device: DeviceSampler.create(options) };
}

function plain(block: Block) {
  const { numSrc, numDst, indptr, indices, srcIds, weights, srcDegrees, reverse } = block;
  const lists = { indptr, indices, srcIds, weights: weights ?? [], degrees: srcDegrees ?? [], reverse: reverse.edges };
  return { numSrc, numDst, ...Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, [...list]])) };
}

describe("blocks that a device samples", () => {
  test.each([
    ["without replacement", draws],
    ["with replacement", { ...draws, replace: true }],
    ["of all in-neighbours", { fanouts: [-1, 2], replace: false }],
  ])("are those that the host samples, %s", async (_, chosen) => {
    const graph = inTwoParts(await graphFromEdges({ numNodes, src, dst }));
    const { host, device } = samplersOf(graph, chosen);
    const sampler = await device;
    for (const key of [
      { epoch: 0, step: 0 },
      { epoch: 2, step: 5 },
    ]) {
      const [expected, found] = [await host.sample(seeds, key), await sampler.sample(seeds, key)];
      expect(found.map(plain)).toEqual(expected.map(plain));
      releaseBlocks(found, seeds);
    }
    sampler.dispose();
  });

  test("have the weights of the edges and the degrees of their rows, which come down before anybody asks", async () => {
    const graph = inTwoParts(await graphFromEdges({ numNodes, src, dst, weights }));
    const { host, device } = samplersOf(graph, draws, true);
    const sampler = await device;
    const key = { epoch: 1, step: 1 };
    const found = await sampler.sample(seeds, key);
    const readBacks = cuda().readBacks;
    expect(found.map(plain)).toEqual((await host.sample(seeds, key)).map(plain));
    expect(cuda().readBacks).toBe(readBacks);
    releaseBlocks(found, seeds);
    sampler.dispose();
  });

  test("are read back when the host asks for their edges, and from then on come down in time", async () => {
    const { host, device } = samplersOf(await graphFromEdges({ numNodes, src, dst }), draws);
    const sampler = await device;
    const before = cuda().readBacks;
    const [first] = await sampler.sample(seeds, { epoch: 0, step: 0 });
    expect(cuda().readBacks - before).toBe(0);
    expect(first!.indices).toEqual((await host.sample(seeds, { epoch: 0, step: 0 }))[0]!.indices);
    expect(cuda().readBacks - before).toBe(1);
    const [second] = await sampler.sample(seeds, { epoch: 0, step: 1 });
    expect(second!.indices).toEqual((await host.sample(seeds, { epoch: 0, step: 1 }))[0]!.indices);
    expect(cuda().readBacks - before).toBe(1);
    sampler.dispose();
  });

  test("of a rank without seeds are none of the device's", async () => {
    const { device } = samplersOf(await graphFromEdges({ numNodes, src, dst }), draws);
    const sampler = await device;
    const found = await sampler.sample(new Int32Array(), { epoch: 0, step: 0 });
    expect(found.map(({ device, numDst }) => [device, numDst])).toContainEqual(["cpu", 0]);
    sampler.dispose();
  });

  test("and their graph give back every byte, whoever waited for whom", async () => {
    const { addon } = cuda();
    await collectGarbage();
    const taken = () => {
      addon.synchronize();
      return addon.deviceCounters().takenBytes;
    };
    const empty = taken();
    const { device } = samplersOf(await graphFromEdges({ numNodes, src, dst, weights }), draws);
    const sampler = await device;
    const held = taken();
    expect(held).toBeGreaterThan(empty);
    for (let step = 0; step < 20; step += 4) {
      const batches = [0, 1, 2, 3].map((ahead) => sampler.sample(seeds, { epoch: 0, step: step + ahead }));
      for (const blocks of await Promise.all(batches)) releaseBlocks(blocks, seeds);
    }
    expect(taken()).toBe(held);
    sampler.dispose();
    expect(taken()).toBe(empty);
  });

  test("are refused of damaged graphs, foreign nodes and a graph that was given back", async () => {
    const graph = await graphFromEdges({ numNodes, src, dst });
    const [part] = graph.parts;
    const damaged = (change: object) => ({ ...graph, parts: [{ ...part!, ...change }] });
    const foreign = part!.indices.slice().fill(numNodes, 5, 6);
    const backwards = part!.indptr.slice().fill(700n, 9, 10);
    await expect(samplersOf(damaged({ indices: foreign }), draws).device).rejects.toMatchObject({
      code: "SHAPE_MISMATCH",
      message: expect.stringContaining("An edge comes from node 60; the graph has 60 nodes."),
    });
    await expect(samplersOf(damaged({ indptr: backwards }), draws).device).rejects.toMatchObject({
      code: "SHAPE_MISMATCH",
      message: expect.stringContaining("The in-edges of node 9 end before they begin."),
    });
    const sampler = await samplersOf(graph, draws).device;
    await expect(sampler.sample(Int32Array.of(numNodes), { epoch: 0, step: 0 })).rejects.toMatchObject({
      code: "SHAPE_MISMATCH",
      message: "Node 60 is not in the graph of 60 nodes.",
    });
    sampler.dispose();
    await expect(sampler.sample(seeds, { epoch: 0, step: 0 })).rejects.toMatchObject({ code: "SHAPE_MISMATCH" });
  });

  test("need a graph that the device has room for", async () => {
    const graph = await graphFromEdges({ numNodes, src, dst });
    const { addon } = cuda();
    addon.synchronize();
    addon.trimMemory();
    const { takenBytes } = addon.deviceCounters();
    addon.setEmulatedMemory?.((addon.emulatedMemoryInUse?.() as number) + 1024);
    try {
      await expect(samplersOf(graph, draws).device).rejects.toMatchObject({ code: "DEVICE_OUT_OF_MEMORY" });
    } finally {
      addon.setEmulatedMemory?.(2 ** 32);
    }
    expect(addon.deviceCounters().takenBytes).toBe(takenBytes);
  });

  test("are left to the host where the upload of a graph that should fit finds no memory", async () => {
    const model = sage.create(sage.options.parse({ hiddenFeats: 8 }), { inDim: 5, outDim: 3, seed: 1 }, nn);
    const said: [string, unknown][] = [];
    await placeForDevice({
      asked: "auto",
      model,
      inDim: 5,
      numHops: 2,
      batch: { rows: 10, edges: 20 },
      graph: await graphFromEdges({ numNodes, src, dst }),
      rank: soloRank(1),
      sampled: {
        size: { numNodes, numEdges: 700, isWeighted: false },
        featureBytes: 0,
        upload: async () => {
          throw new GnnError("DEVICE_OUT_OF_MEMORY", "The device has no piece of 4096 bytes left.");
        },
      },
      tell: (message, { whyNot }) => said.push([message, whyNot]),
    });
    expect(said).toEqual([[samplingWords.host, "The device has no piece of 4096 bytes left."]]);
    model.dispose();
  });

  test("train a model to the bits of those that the host samples, with no wait in a step", async () => {
    const data = await communityData({ numNodes: 40, numClasses: 3, dim: 6, numTrain: 20, degree: 4 });
    const train = { epochs: 2, batchSize: 10, seed: 3, evaluate: { everyEpochs: 2 } };
    const model = { type: "sage", options: { hiddenFeats: 8, dropout: 0.2 } };
    const options = { model, sampling: { type: "neighbor", options: { fanouts: [3, 2] } }, train };
    const host = createBlockSampler({ graph: data.graph, fanouts: [3, 2], replace: false, seed: train.seed });
    const weightsOf = async (sampler: Sampler | null) => {
      const trainer = await Trainer.create({ data, options, sampler, threads: 1 });
      const waits = await waitsOfSteps(() => trainer.fit());
      const weights = trainer.model.variables.flatMap(({ variable }) => [...variable.dataSync()]);
      trainer.dispose();
      return { weights, waited: waits[1]! - waits[0]! };
    };
    const { downloadsAhead } = cuda().addon.deviceCounters();
    const expected = await weightsOf(host);
    expect(cuda().addon.deviceCounters().downloadsAhead).toBe(downloadsAhead);
    const found = await weightsOf(null);
    expect(cuda().addon.deviceCounters().downloadsAhead).toBeGreaterThan(downloadsAhead);
    expect(found.weights).toEqual(expected.weights);
    expect(found.waited).toBe(0);
  });
});
