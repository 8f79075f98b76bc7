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
import { DenseFeatureStore, graphFromEdges, linearProbe, Trainer } from "@hopwise/gnn-core";

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
  let state = 11;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const labels = Int32Array.from({ length: numNodes }, (_, node) => node % numGroups);
  const [src, dst]: [number[], number[]] = [[], []];
  for (let node = 0; node < numNodes; node++) {
    for (let i = 0; i < 5; i++) {
      const other = Math.floor(random() * numNodes);
      const inside = other - (other % numGroups) + (node % numGroups);
      src.push(random() < 0.85 ? Math.min(inside, numNodes - 1) : other);
      dst.push(node);
    }
  }
  const values = Float32Array.from({ length: numNodes * width }, (_, i) => {
    const isOwn = labels[Math.floor(i / width)] === i % width;
    return random() + (isOwn ? 0.4 : 0);
  });
  return { graph: await graphFromEdges({ src, dst, numNodes, directed: false, selfLoops: "drop" }), values, labels };
}

function percent(rows: Float32Array, columns: number, labels: Int32Array): string {
  const sideOf = (side: number) =>
    Int32Array.from(labels.keys()).filter((node) => Math.floor(node / numGroups) % 10 === side);
  const sides = { train: sideOf(0), val: sideOf(1), test: sideOf(2) };
  const { test } = linearProbe({ rows, dim: columns }, { labels, numClasses: numGroups, ...sides });
  return ((test ?? 0) * 100).toFixed(1);
}

await main();
