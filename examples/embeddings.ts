/**
 * Learns rows for the nodes of a graph without a label, then asks a linear probe what they hold of the communities.
 *
 *   main
 *   ├── madeUpGraph     communities whose features are mostly noise
 *   ├── Trainer.create  the task says what is compared; no label is given
 *   ├── trainer.fit     for each epoch: both views of each batch, val/loss after it
 *   ├── trainer.infer   a row for every node
 *   └── linearProbe     logistic regression on the frozen rows, beside one on the features
 *
 * Run it: node --import tsx examples/embeddings.ts
 */
import { DenseFeatureStore, linearProbe, Trainer } from "@hopwise/gnn-core";
import { madeUpCommunities } from "./embeddings/communities.ts";

const numNodes = 600;
const numGroups = 4;
const width = 16;
const dim = 32;

async function main(): Promise<void> {
  const { graph, values, labels } = await madeUpGraph();
  const trainer = await Trainer.create({
    data: { graph, features: new DenseFeatureStore(width, [values]), split: new Int8Array(numNodes) },
    options: {
      task: { type: "deepGraphInfomax", dim },
      model: { type: "gcn", options: { numLayers: 1, dropout: 0 } },
      sampling: { type: "full" },
      train: { epochs: 40, batchSize: numNodes, optimizer: { type: "adam", options: { lr: 0.01 } } },
    },
  });
  const { metrics } = await trainer.fit();
  const { logits } = await trainer.infer();
  console.log(`loss ${metrics["val/loss"]?.toFixed(3)}`);
  console.log(`features alone tell ${percent(values, width, labels)} % of the test nodes`);
  console.log(`embeddings tell ${percent(logits, dim, labels)} % of the test nodes`);
  trainer.dispose();
}

/** Edges lie mostly inside a community; a feature says a little of it. */
async function madeUpGraph() {
  const { graph, labels, random } = await madeUpCommunities(numNodes, numGroups);
  const values = Float32Array.from({ length: numNodes * width }, (_, i) => {
    const isOwn = labels[Math.floor(i / width)] === i % width;
    return random() + (isOwn ? 0.4 : 0);
  });
  return { graph, values, labels };
}

function percent(rows: Float32Array, columns: number, labels: Int32Array): string {
  const sideOf = (side: number) =>
    Int32Array.from(labels.keys()).filter((node) => Math.floor(node / numGroups) % 10 === side);
  const sides = { train: sideOf(0), val: sideOf(1), test: sideOf(2) };
  const { test } = linearProbe({ rows, dim: columns }, { labels, numClasses: numGroups, ...sides });
  return ((test ?? 0) * 100).toFixed(1);
}

await main();
