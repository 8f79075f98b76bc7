/**
 * Mini-batch training with the loops written out: epochs outside, sampled batches inside.
 * (The DGL tutorial's second listing: `NeighborSampler` of 10 neighbours a hop, `copy_from_parent`, `block_compute`.)
 *
 *   main
 *   ├── createBlockSampler   10 in-neighbours of every node and hop
 *   ├── gnn                  examples/node-update/model.ts, the same as for the full graph
 *   └── epochs
 *       ├── epochSeeds       the training nodes in an order of the epoch's own, cut into batches
 *       └── NodeLoader       batches made ahead by native threads: blocks, input rows, labels of the seeds
 *           └── step         forward → crossEntropySum → backward → Adam (examples/node-update/train.ts)
 *
 * Run it: node --import tsx examples/mini-batch.ts
 */
import {
  Adam,
  createBlockSampler,
  DenseFeatureStore,
  epochSeeds,
  type FeatureRows,
  fullBlock,
  graphShapes,
  NodeLoader,
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
const numEpochs = 20;
const seed = 0;

async function main(): Promise<void> {
  await selectBackend("native");
  const data = await shapedGraph({
    ...scaleShape(graphShapes["reddit-shaped"], 0.01),
    numPairs: 40_000,
    featureDim: 64,
  });
  const { graph, featureDim, labels, split, numClasses } = data;
  const features = new DenseFeatureStore(featureDim, [data.features]);
  const trainNodes = Int32Array.from(split.keys()).filter((node) => split[node] === splitCode.train);
  const sampler = createBlockSampler({ graph, fanouts: [10, 10], replace: false, seed });

  const model = gnn({ inFeats: featureDim, numHidden, numClasses, numLayers, dropout });
  const optimizer = new Adam(model.variables, { lr: 0.01 });
  for (let epoch = 1; epoch <= numEpochs; epoch++) {
    const seeds = epochSeeds(trainNodes, { seed, epoch, batchSize: 256, rank: 0, worldSize: 1 });
    const batches = seeds.map((ids, step) => ({ seeds: ids, epoch, step }));
    let loss = Number.NaN;
    for await (const batch of new NodeLoader({ sampler, features, labels, batches, prefetch: 4 })) {
      // blocks[0] is the farthest hop: its src rows are `inputNodes`, whose features came along.
      const rows = batch.features as FeatureRows;
      const target = batch.labels as Int32Array;
      const context = { training: true, seed, epoch, step: batch.step };
      loss = step({ model, optimizer }, { blocks: batch.blocks, features: rows, labels: target }, context);
    }
    if (epoch % 5 === 0) console.log(`epoch ${epoch}  loss of the last batch ${loss.toFixed(3)}`);
  }

  const block = await fullBlock(graph, 0, graph.numNodes);
  const whole = { blocks: Array.from({ length: numLayers }, () => block), features: features.gather(block.srcIds) };
  console.log(`test accuracy ${(100 * accuracy(model, whole, data, splitCode.test)).toFixed(1)} %`);
  model.dispose();
}

await main();
