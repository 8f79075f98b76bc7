/**
 * Unsupervised GraphSAGE: an encoder that learns from features and edges alone which nodes are near each other, without
 * any labels, then a linear probe that asks what its rows hold of the communities.
 *
 *   J(u, v) = −log σ(⟨z_u, z_v⟩) − Q·E_{n ∼ P} log σ(−⟨z_u, z_n⟩),   v met near u on a random walk, P(n) ∝ degree^0.75
 *
 * Hamilton, Ying, Leskovec 2017 (arXiv:1706.02216), section 3.2, equation 1. DGL: train_sampling_unsupervised.py; PyG:
 * examples/graph_sage_unsup.py.
 *
 *   main
 *   ├── madeUpCommunities  edges, and features that hardly tell the communities
 *   ├── Trainer.create     the task says how to walk, the model how rows are made of features
 *   ├── trainer.fit        walks of each step → pairs of near nodes, nodes drawn beside them → the weights move
 *   ├── trainer.infer      a row for every node, and for any other one with features and edges
 *   └── linearProbe        logistic regression on the frozen rows
 *
 * Run it: node --import tsx examples/unsupervised-sage.ts
 */
import { DenseFeatureStore, Trainer } from "@hopwise/gnn-core";
import { madeUpCommunities, percentTold } from "./embeddings/communities.ts";

const numNodes = 600;
const numGroups = 4;
const numFeatures = 16;

async function main(): Promise<void> {
  const { graph, labels, random } = await madeUpCommunities(numNodes, numGroups);
  const values = Float32Array.from({ length: numNodes * numFeatures }, (_, i) => {
    const [node, column] = [Math.floor(i / numFeatures), i % numFeatures];
    return random() - 0.5 + (column === labels[node] ? 0.25 : 0);
  });
  const trainer = await Trainer.create({
    data: { graph, features: new DenseFeatureStore(numFeatures, [values]), split: new Int8Array(numNodes) },
    options: {
      task: { type: "node2vec", dim: 32, walkLength: 8, walksPerNode: 5, window: 3, negatives: 5, noise: "degree" },
      model: { type: "sage", options: { hiddenFeats: 32, numLayers: 2, dropout: 0 } },
      sampling: { type: "neighbor", options: { fanouts: [10, 10] } },
      train: { epochs: 15, batchSize: 100, optimizer: { type: "adam", options: { lr: 0.01 } } },
    },
  });
  const { metrics } = await trainer.fit();
  const { logits } = await trainer.infer();
  trainer.dispose();
  console.log(`features alone tell ${percentTold(values, labels, numGroups)} % of the test nodes`);
  const told = percentTold(logits, labels, numGroups);
  console.log(`unsupervised GraphSAGE: loss ${metrics["val/loss"]?.toFixed(3)}, rows tell ${told} %`);
}

await main();
