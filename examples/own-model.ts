/**
 * Trains the model of examples/own-model/ on a small graph in memory: communities whose members resemble each other.
 *
 *   main
 *   ├── loadRegistry      the built-in components and those of the folder, by discovery alone
 *   ├── communities       three communities; features are noisy signs of them
 *   └── Trainer           the model by its name, like any other
 *
 * Run it: node --import tsx examples/own-model.ts
 */
import { fileURLToPath } from "node:url";
import {
  DenseFeatureStore,
  graphFromEdges,
  loadRegistry,
  splitCode,
  Trainer,
  type TrainingData,
} from "@hopwise/gnn-core";

const numNodes = 900;
const numCommunities = 3;
const dim = 12;
const degree = 6;

async function main(): Promise<void> {
  const registry = await loadRegistry([fileURLToPath(new URL("own-model", import.meta.url))]);
  const names = registry.list("model").map(({ name }) => name);
  console.log(`models: ${names.join(", ")}`);

  const trainer = await Trainer.create({
    data: await communities(),
    registry,
    options: {
      model: { type: "difference", options: { hiddenFeats: 32, numLayers: 2, dropout: 0.3 } },
      sampling: { type: "neighbor", options: { fanouts: [6, 6] } },
      train: { epochs: 30, batchSize: 64, optimizer: { type: "adam", options: { lr: 0.01, weightDecay: 5e-4 } } },
    },
  });
  const { metrics } = await trainer.fit();
  console.log(`test accuracy ${(100 * (metrics["test/accuracy"] ?? 0)).toFixed(1)} %`);
  trainer.dispose();
}

async function communities(): Promise<TrainingData> {
  const random = generator(3);
  const src: number[] = [];
  const dst: number[] = [];
  for (let node = 0; node < numNodes; node++) {
    for (let i = 0; i < degree; i++) {
      const other = Math.floor((random() * numNodes) / numCommunities) * numCommunities;
      src.push(other + (random() < 0.85 ? node % numCommunities : Math.floor(random() * numCommunities)));
      dst.push(node);
    }
  }
  const features = Float32Array.from({ length: numNodes * dim }, (_, i) => {
    const isSign = (i % dim) % numCommunities === Math.floor(i / dim) % numCommunities;
    return random() - 0.5 + (isSign ? 0.3 : 0);
  });
  const { train, val, test } = splitCode;
  return {
    graph: await graphFromEdges({ src, dst, numNodes, selfLoops: "drop" }),
    features: new DenseFeatureStore(dim, [features]),
    labels: Int32Array.from({ length: numNodes }, (_, node) => node % numCommunities),
    split: Int8Array.from({ length: numNodes }, () => (random() < 0.2 ? train : random() < 0.3 ? val : test)),
    numClasses: numCommunities,
  };
}

/** Numbers in [0, 1) that are the same in every run: Numerical Recipes' 32-bit generator. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

await main();
