import { beforeAll, expect, test } from "vitest";
import { selectBackend } from "../../src/backends/select-backend.ts";
import { memory, type Tensor2D } from "../../src/backends/tf.ts";
import { loopbackGroup } from "../../src/dist/loopback.ts";
import { sharedRowsInMemory } from "../../src/dist/shared-rows.ts";
import type { TrainingData } from "../../src/graph/training-data.ts";
import { inferNodes } from "../../src/infer/infer-nodes.ts";
import type { GnnModel, LayerInput } from "../../src/nn/model.ts";
import { fullBlock } from "../../src/sampling/full-block.ts";
import { attachDegrees } from "../../src/sampling/with-degrees.ts";
import { loadRegistry, type Registry } from "../../src/spec/index.ts";
import { buildModel } from "../../src/train/build-components.ts";
import { copyWeights } from "../../src/train/model-weights.ts";
import { communityData } from "../train/support/community-data.ts";

let registry: Registry;
let data: TrainingData;
beforeAll(async () => {
  await selectBackend("native");
  registry = await loadRegistry();
  data = await communityData({ numNodes: 83, numClasses: 3, dim: 5, numTrain: 20, degree: 4, numParts: 2 });
});

const shape = { inDim: 5, outDim: 3, seed: 11 };

async function infer(model: GnnModel, worldSize: number, chunkSize: number) {
  const { graph, features } = data;
  const rows = sharedRowsInMemory();
  const signal = new AbortController().signal;
  const [first] = await Promise.all(
    loopbackGroup(worldSize).map((collective, rank) => {
      const context = { rank, worldSize, localRank: rank, device: "cpu", threads: 1, collective } as const;
      return inferNodes({ model, graph, features, rank: context, signal, chunkSize }, (name, dim) =>
        rows(name, graph.numNodes * dim),
      );
    }),
  );
  return first!;
}

type Rows = number[][];

/** Σ over the whole graph in doubles: nothing in common with the engine but its weights. */
function denseForward(model: GnnModel, usesNeighbors: boolean): Rows[] {
  const weights = new Map(copyWeights(model).map((weight) => [weight.name, weight]));
  const matrix = (name: string): Rows => {
    const { values, shape: size } = weights.get(name)!;
    return Array.from({ length: size[0]! }, (_, i) => [...values.subarray(i * size[1]!, (i + 1) * size[1]!)]);
  };
  const all = Int32Array.from({ length: 83 }, (_, node) => node);
  const { values } = data.features.gather(all);
  let x: Rows = Array.from({ length: 83 }, (_, node) => [...values.subarray(node * 5, node * 5 + 5)]);
  const neighbors = inNeighbors();
  return model.layers.map((_, layer) => {
    const self = matrix(`layers.${layer}.${usesNeighbors ? "weightSelf" : "weight"}`);
    const neigh = usesNeighbors ? matrix(`layers.${layer}.weightNeigh`) : null;
    const bias = weights.get(`layers.${layer}.bias`)!.values;
    const isLast = layer === model.layers.length - 1;
    x = x.map((row, node) => {
      const around = neighbors[node]!;
      const mean = row.map((_, j) => around.reduce((sum, u) => sum + x[u]![j]!, 0) / Math.max(1, around.length));
      return self[0]!.map((_, k) => {
        const sum = row.reduce(
          (total, value, j) => total + value * self[j]![k]! + (neigh ? mean[j]! * neigh[j]![k]! : 0),
          0,
        );
        return isLast ? sum + bias[k]! : Math.max(0, sum + bias[k]!);
      });
    });
    return x;
  });
}

function inNeighbors(): number[][] {
  return data.graph.parts.flatMap(({ numNodes, indptr, indices }) =>
    Array.from({ length: numNodes }, (_, i) => [...indices.subarray(Number(indptr[i]), Number(indptr[i + 1]))]),
  );
}

function expectClose(found: Float32Array, expected: Rows): void {
  const flat = expected.flat();
  expect(found).toHaveLength(flat.length);
  const worst = flat.reduce((max, value, i) => Math.max(max, Math.abs(value - found[i]!)), 0);
  expect(worst).toBeLessThan(1e-5);
}

test.each([
  ["sage", 1, 1_000],
  ["sage", 2, 7],
  ["sage", 3, 1],
  ["mlp", 1, 10],
  ["mlp", 2, 1_000],
])("%s on %i ranks in chunks of %i gives the rows of a dense forward pass", async (type, worldSize, chunkSize) => {
  const options = { hiddenFeats: 6, numLayers: 3, dropout: 0.5 };
  const { model } = buildModel({ type, options }, shape, registry);
  const before = memory().numTensors;
  const { embeddings, logits } = await infer(model, worldSize, chunkSize);
  const layers = denseForward(model, type === "sage");
  expectClose(embeddings, layers.at(-2)!);
  expectClose(logits, layers.at(-1)!);
  expect(memory().numTensors).toBe(before);
  model.dispose();
});

/** One layer after the other over the block of all nodes, none of them cut. */
async function wholeForward(model: GnnModel): Promise<Float32Array[]> {
  const full = await fullBlock(data.graph, 0, 83);
  const block = model.usesDegrees ? await attachDegrees(data.graph, full) : full;
  const context = { training: false, seed: 0, epoch: 0, step: 0 };
  let x: LayerInput = data.features.gather(block.srcIds);
  const rows: Float32Array[] = [];
  for (const layer of model.layers) {
    const out: Tensor2D = layer.forward(block, x, context);
    rows.push(out.dataSync<"float32">().slice());
    if (!("kind" in x)) x.dispose();
    x = out;
  }
  if (!("kind" in x)) x.dispose();
  return rows;
}

const narrowing = [
  ["sage", {}],
  ["sage", { aggregator: "gcn" }],
  ["gcn", {}],
  ["gat", { heads: 2 }],
] as const;

test.each(narrowing)("%s %o, whose rows get narrower, is the same projected before it is summed", async (type, own) => {
  const options = { hiddenFeats: 4, numLayers: 3, ...own };
  const { model } = buildModel({ type, options }, shape, registry);
  expect(model.layers.at(-1)?.projection?.dim).toBeGreaterThan(0);
  const whole = await wholeForward(model);
  const before = memory().numTensors;
  for (const [worldSize, chunkSize] of [
    [1, 1_000],
    [2, 7],
  ] as const) {
    const { embeddings, logits } = await infer(model, worldSize, chunkSize);
    for (const [found, expected] of [
      [embeddings, whole.at(-2)!],
      [logits, whole.at(-1)!],
    ] as const) {
      const worst = expected.reduce((max, value, i) => Math.max(max, Math.abs(value - found[i]!)), 0);
      expect(worst).toBeLessThan(1e-5);
    }
  }
  expect(memory().numTensors).toBe(before);
  model.dispose();
});

test("a model of one layer has its logits as embedding", async () => {
  const { model } = buildModel({ type: "sage", options: { numLayers: 1 } }, shape, registry);
  const { embeddings, logits } = await infer(model, 2, 10);
  expect(embeddings).toEqual(logits);
  expectClose(logits, denseForward(model, true).at(-1)!);
  model.dispose();
});

test("when one rank is told to stop, all stop at the end of the layer", async () => {
  const { model } = buildModel({ type: "sage", options: { hiddenFeats: 6 } }, shape, registry);
  const { graph, features } = data;
  const rows = sharedRowsInMemory();
  const ends = await Promise.allSettled(
    loopbackGroup(2).map((collective, rank) => {
      const context = { rank, worldSize: 2, localRank: rank, device: "cpu", threads: 1, collective } as const;
      const signal = rank === 1 ? AbortSignal.abort() : new AbortController().signal;
      return inferNodes({ model, graph, features, rank: context, signal }, (name, dim) => rows(name, 83 * dim));
    }),
  );
  const cancelled = { status: "rejected", reason: { code: "CANCELLED" } };
  expect(ends).toMatchObject([cancelled, cancelled]);
  model.dispose();
});
