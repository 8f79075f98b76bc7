import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { prepareBackend } from "../../src/backends/prepare-backend.ts";
import { memory } from "../../src/backends/tf.ts";
import { explainNode } from "../../src/explain/explain-node.ts";
import type { ExplainOptions } from "../../src/explain/explain-options.ts";
import { DenseFeatureStore } from "../../src/features/dense-feature-store.ts";
import { graphFromEdges } from "../../src/graph/graph-from-edges.ts";
import { splitCode } from "../../src/graph/split-nodes.ts";
import type { ClassificationData } from "../../src/graph/training-data.ts";
import { createBlockSampler } from "../../src/sampling/block-sampler.ts";
import { Trainer } from "../../src/train/trainer.ts";
import type { TrainerOptions } from "../../src/train/trainer-setup.ts";
import { seededRandom } from "../support/seeded-random.ts";

const numNodes = 240;
const dim = 8;
const numNeighbors = 5;
/** The one feature that says anything */
const beacon = 3;

/** Class 1 are the nodes with one in-neighbour that has the beacon; no node has more than one, all else is noise. */
async function plantedBeacons() {
  const random = seededRandom(5);
  const below = (bound: number) => Math.floor(random() * bound);
  // The first 40 nodes have the beacon.
  const src: number[] = [];
  const dst: number[] = [];
  const beaconOf = new Map<number, number>();
  for (let node = 0; node < numNodes; node++) {
    const plain = Array.from({ length: numNeighbors - 1 }, () => 40 + below(numNodes - 40));
    const last = node % 2 === 0 ? below(40) : 40 + below(numNodes - 40);
    if (node % 2 === 0) beaconOf.set(node, last);
    for (const other of [...plain, last]) {
      src.push(other);
      dst.push(node);
    }
  }
  const features = Float32Array.from({ length: numNodes * dim }, () => random());
  for (let node = 0; node < numNodes; node++) features[node * dim + beacon] = node < 40 ? 5 : 0;
  const data: ClassificationData = {
    graph: await graphFromEdges({ numNodes, src: Int32Array.from(src), dst: Int32Array.from(dst) }),
    features: new DenseFeatureStore(dim, [features]),
    split: new Int8Array(numNodes).fill(splitCode.train),
    labels: Int32Array.from({ length: numNodes }, (_, node) => (beaconOf.has(node) ? 1 : 0)),
    numClasses: 2,
  };
  return { data, beaconOf };
}

const { data, beaconOf } = await plantedBeacons();
let trainer: Trainer;

async function trained(model: TrainerOptions["model"]): Promise<Trainer> {
  const made = await Trainer.create({
    data,
    options: {
      model,
      sampling: { type: "full" },
      train: { epochs: 60, batchSize: 40, optimizer: { type: "adam", options: { lr: 0.05 } } },
    },
  });
  await made.fit();
  return made;
}

const explain = (node: number, options: ExplainOptions = {}) =>
  explainNode({ ...trainer.data, model: trainer.model }, node, options);

beforeAll(async () => {
  await prepareBackend(2);
  trainer = await trained({ type: "sage", options: { hiddenFeats: 8, numLayers: 1, dropout: 0 } });
});

afterAll(() => trainer.dispose());

/** Nodes of class 1 */
const told = [...beaconOf.keys()].slice(20, 25);

describe("an explanation", () => {
  test("names the neighbour and the feature that decide the class", async () => {
    for (const node of told) {
      const { target, edges, features } = await explain(node);
      expect(target).toBe(1);
      expect(edges).toHaveLength(numNeighbors);
      expect(edges[0]).toMatchObject({ src: beaconOf.get(node), dst: node });
      expect(features[0]?.feature).toBe(beacon);
    }
  });

  test("loses the class without its one edge and feature, and nothing with these alone", async () => {
    const { probability, fidelityPlus, fidelityMinus } = await explain(told[0]!, { topEdges: 1, topFeatures: 1 });
    expect(probability).toBeGreaterThan(0.9);
    expect(fidelityPlus).toBeGreaterThan(0.5);
    expect(fidelityMinus).toBeLessThan(0.1);
  });

  test("has the same bits each time by a seed, and others by another", async () => {
    const first = await explain(told[1]!, { seed: 3 });
    expect(await explain(told[1]!, { seed: 3 })).toEqual(first);
    expect(await explain(told[1]!, { seed: 4 })).not.toEqual(first);
  });

  test("leaves the model's weights and the memory as they were", async () => {
    const before = trainer.model.variables.map(({ variable }) => variable.dataSync().slice());
    const { numTensors } = memory();
    await explain(told[2]!);
    expect(memory().numTensors).toBe(numTensors);
    expect(trainer.model.variables.map(({ variable }) => variable.dataSync().slice())).toEqual(before);
  });

  test("of the other class is asked for by its number", async () => {
    const { target, probability } = await explain(told[3]!, { target: 0 });
    expect(target).toBe(0);
    expect(probability).toBeLessThan(0.1);
  });
});

describe("an explanation over two hops", () => {
  test.each([
    { type: "gcn", options: { hiddenFeats: 8, numLayers: 2, dropout: 0 } },
    { type: "gat", options: { hiddenFeats: 8, heads: 2, numLayers: 2, dropout: 0, attentionDropout: 0 } },
    { type: "appnp", options: { hiddenFeats: 8, numHops: 2 } },
  ])("of $type has every edge of both, once", async (model) => {
    const made = await Trainer.create({ data, options: { model, sampling: { type: "full" }, train: { epochs: 1 } } });
    const { edges } = await explainNode({ ...data, model: made.model }, 4, { steps: 3 });
    made.dispose();
    const sources = edges.filter(({ dst }) => dst === 4).map(({ src }) => src);
    expect(sources).toHaveLength(numNeighbors);
    expect(edges).toHaveLength(numNeighbors * new Set([4, ...sources]).size);
  });

  test("rests on blocks of which each begins with the edges of the next", async () => {
    const sampler = createBlockSampler({ graph: data.graph, fanouts: [-1, -1, -1], replace: false, seed: 0 });
    const blocks = await sampler.sample(Int32Array.of(4), { epoch: 0, step: 0 });
    for (const [i, block] of blocks.slice(1).entries()) {
      const outer = blocks[i]!;
      expect(outer.indptr.subarray(0, block.numDst + 1)).toEqual(block.indptr);
      expect(outer.indices.subarray(0, block.indices.length)).toEqual(block.indices);
      expect(outer.srcIds.subarray(0, block.numSrc)).toEqual(block.srcIds);
    }
  });
});

describe("what cannot be explained", () => {
  test.each([
    { what: "a node outside the graph", node: 240, options: {}, code: "NODE_UNKNOWN", message: /no node 240/ },
    {
      what: "too large a neighbourhood",
      node: 4,
      options: { maxEdges: 4 },
      code: "SPEC_INVALID",
      message: /more than 4/,
    },
    { what: "a class that is none", node: 4, options: { target: 2 }, code: "SPEC_INVALID", message: /no class 2/ },
    { what: "steps below 1", node: 4, options: { steps: 0 }, code: "SPEC_INVALID", message: /Option steps/ },
  ])("$what is refused", async ({ node, options, code, message }) => {
    await expect(explain(node, options)).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
  });

  test("a model whose layers do not mask messages is refused by its layer", async () => {
    const model = { type: "sage", options: { aggregator: "pool", numLayers: 1 } } as const;
    const made = await Trainer.create({ data, options: { model, train: { epochs: 1 }, sampling: { type: "full" } } });
    const refused = explainNode({ ...data, model: made.model }, 4);
    await expect(refused).rejects.toMatchObject({ code: "SPEC_INVALID", message: expect.stringMatching(/Layer 0/) });
    made.dispose();
  });

  test("ends between two steps when its signal is aborted", async () => {
    const stop = new AbortController();
    stop.abort();
    const cancelled = explainNode({ ...trainer.data, model: trainer.model }, 4, { signal: stop.signal });
    await expect(cancelled).rejects.toMatchObject({ code: "CANCELLED" });
  });
});

test("a model without edges has its features explained, and no edge", async () => {
  const model = { type: "mlp", options: { numLayers: 1 } } as const;
  const made = await Trainer.create({ data, options: { model, train: { epochs: 1 } } });
  const { edges, features } = await explainNode({ ...data, model: made.model }, 4, { steps: 5 });
  expect(edges).toEqual([]);
  expect(features).toHaveLength(dim);
  made.dispose();
});
