import { beforeAll, expect, test } from "vitest";
import { selectBackend } from "../../src/backends/select-backend.ts";
import { DenseFeatureStore } from "../../src/features/dense-feature-store.ts";
import { graphFromEdges } from "../../src/graph/graph-from-edges.ts";
import type { TrainingData } from "../../src/graph/training-data.ts";
import { Trainer, type TrainerOptions } from "../../src/index.ts";
import { copyWeights } from "../../src/train/model-weights.ts";
import { randomFloats, seededRandom } from "../support/seeded-random.ts";

beforeAll(() => selectBackend("native"));

const numNodes = 240;
const numClasses = 3;
const dim = 8;
const random = seededRandom(21);
const labels = Int32Array.from({ length: numNodes }, () => Math.floor(random() * numClasses));
/** Mostly between nodes of a class, from the lower to the higher id, so that direction matters. */
const edges = Array.from({ length: 1800 }, () => [random(), random()].map((at) => Math.floor(at * numNodes)))
  .filter(([a, b]) => labels[a!] === labels[b!] || random() < 0.2)
  .map(([a, b]) => [Math.min(a!, b!), Math.max(a!, b!)] as const);
const weights = edges.map((_, i) => 1 + (i % 4));

async function dataOf(from: readonly number[], to: readonly number[]): Promise<TrainingData> {
  const noise = randomFloats(numNodes * dim, 5);
  return {
    graph: await graphFromEdges({ src: from, dst: to, numNodes, duplicates: "keep", weights }),
    features: new DenseFeatureStore(dim, [
      noise.map((value, i) => value + (i % dim === labels[Math.floor(i / dim)] ? 0.7 : 0)),
    ]),
    labels,
    split: Int8Array.from({ length: numNodes }, (_, node) => 1 + (node % 3)),
    numClasses,
  };
}
const lower = edges.map(([a]) => a);
const higher = edges.map(([, b]) => b);

async function trained(data: TrainingData, options: TrainerOptions) {
  const trainer = await Trainer.create({
    data,
    options: {
      model: { type: "sage", options: { hiddenFeats: 8, dropout: 0.1 } },
      train: { epochs: 9, batchSize: 16, optimizer: { type: "adam", options: { lr: 0.03 } } },
      ...options,
    },
  });
  const { metrics } = await trainer.fit();
  const weightsNow = copyWeights(trainer.model).map(({ name, values }) => [name, values]);
  const { logits } = await trainer.infer();
  trainer.dispose();
  return { metrics, weights: weightsNow, logits: Float32Array.from(logits) };
}

const samplings = [
  { type: "neighbor", options: { fanouts: [4, 3] } },
  { type: "neighbor", options: { fanouts: [4, 3], probability: "weight", edgeDir: "both" } },
  { type: "labor", options: { fanouts: [4, 3], importanceSampling: 1 } },
  { type: "fastgcn", options: { layerSizes: [60, 60] } },
  { type: "ladies", options: { layerSizes: [60, 60] } },
  { type: "hgSampling", options: { nodesPerType: [60, 60] } },
];

test.each(samplings)("$type $options trains, to the same bits with 1, 2 and 4 sampler threads", async (sampling) => {
  const data = await dataOf(lower, higher);
  const [one, ...others] = await Promise.all(
    [1, 2, 4].map((samplerThreads) => trained(data, { sampling, samplerThreads })),
  );
  for (const other of others) expect(other).toEqual(one);
  expect(one!.metrics["test/accuracy"]).toBeGreaterThan(0.5); // 1/3 by chance
});

test.each(["sage", "gcn"])("%s along out-edges is that along the in-edges of the reverse", async (type) => {
  const model = { type, options: { hiddenFeats: 8 } };
  const sampling = (edgeDir: string) => ({ type: "neighbor", options: { fanouts: [4, 3], edgeDir } });
  const out = await trained(await dataOf(lower, higher), { model, sampling: sampling("out") });
  const reversed = await trained(await dataOf(higher, lower), { model, sampling: sampling("in") });
  const wrong = await trained(await dataOf(lower, higher), { model, sampling: sampling("in") });
  expect(out).toEqual(reversed);
  expect(out.logits).not.toEqual(wrong.logits);
});
