/**
 * Full-graph training with the loop written out: every epoch is one forward and one backward pass over all nodes.
 * (The DGL tutorial's first listing: two layers, 64 hidden units, dropout 0.2, Adam 0.03, cross-entropy.)
 *
 *   main
 *   ├── shapedGraph          a small graph with the classes and degrees of Reddit's
 *   ├── fullBlock            all nodes and edges as one block: every layer sees the same
 *   ├── gnn                  examples/node-update/model.ts
 *   └── step × epochs        forward → crossEntropySum → backward → Adam (examples/node-update/train.ts)
 *
 * Run it: node --import tsx examples/full-graph.ts
 */
import {
  Adam,
  DenseFeatureStore,
  fullBlock,
  graphShapes,
  scaleShape,
  selectBackend,
  shapedGraph,
  splitCode,
} from "@hopwise/gnn-core";
import { gnn } from "./node-update/model.ts";
import { accuracy, step } from "./node-update/train.ts";

const numLayers = 2;
const numHidden = 64;
const dropout = 0.2;
const numEpochs = 100;

async function main(): Promise<void> {
  await selectBackend("native");
  const data = await shapedGraph({
    ...scaleShape(graphShapes["reddit-shaped"], 0.01),
    numPairs: 40_000,
    featureDim: 64,
  });
  const { graph, featureDim, labels, split, numClasses } = data;
  const block = await fullBlock(graph, 0, graph.numNodes);
  const features = new DenseFeatureStore(featureDim, [data.features]).gather(block.srcIds);
  const whole = { blocks: Array.from({ length: numLayers }, () => block), features };
  const trainLabels = labels.map((label, node) => (split[node] === splitCode.train ? label : -1));

  const model = gnn({ inFeats: featureDim, numHidden, numClasses, numLayers, dropout });
  const optimizer = new Adam(model.variables, { lr: 0.03 });
  for (let epoch = 1; epoch <= numEpochs; epoch++) {
    const context = { training: true, seed: 0, epoch, step: 0 };
    const loss = step({ model, optimizer }, { ...whole, labels: trainLabels }, context);
    if (epoch % 20 === 0) console.log(`epoch ${epoch}  loss ${loss.toFixed(3)}`);
  }
  console.log(`test accuracy ${(100 * accuracy(model, whole, data, splitCode.test)).toFixed(1)} %`);
  model.dispose();
}

await main();
