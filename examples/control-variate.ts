/**
 * Control-variate training (VR-GCN): one drawn neighbour per node, corrected by what is remembered of all the others.
 * (DGL's graph-store tutorial: `gcn_cv`, `--num-neighbors 1`; its loop line by line is in
 * docs/guides/control-variates.md.)
 *
 *   main
 *   ├── shapedGraph               a small graph of Reddit's shape: dense, and its features alone tell little
 *   └── train, three times        the same GCN with whole neighbourhoods, one drawn neighbour, and one corrected
 *       ├── Trainer.create        sampling: { type: "controlVariate", options: { numNeighbors: 1 } }
 *       └── trainer.fit           ControlVariatePass: U⁰ = Ã·X once; then the exact histories each epoch, and each step
 *                                 the drawn differences, and the batch's rows into the histories
 *
 * Run it: node --import tsx examples/control-variate.ts
 */
import {
  type ClassificationData,
  DenseFeatureStore,
  graphShapes,
  scaleShape,
  shapedGraph,
  Trainer,
} from "@hopwise/gnn-core";

const samplings = {
  "all neighbours": { type: "full", options: {} },
  "one neighbour": { type: "neighbor", options: { fanouts: [1, 1] } },
  "control variates": { type: "controlVariate", options: { numNeighbors: 1 } },
};

async function main(): Promise<void> {
  const shape = { ...scaleShape(graphShapes["reddit-shaped"], 0.01), numPairs: 60_000, featureDim: 64 };
  const { features, featureDim, ...rest } = await shapedGraph(shape, 1);
  const data = { ...rest, features: new DenseFeatureStore(featureDim, [features]) };
  for (const [name, sampling] of Object.entries(samplings)) {
    console.log(`${name}: test accuracy ${(100 * (await train(data, sampling))).toFixed(1)} %`);
  }
}

async function train(data: ClassificationData, sampling: { type: string; options: object }): Promise<number> {
  const trainer = await Trainer.create({
    data,
    options: {
      model: { type: "gcn", options: { hiddenFeats: 64, dropout: 0 } },
      sampling: { type: sampling.type, options: { ...sampling.options } },
      train: { epochs: 15, batchSize: 256, optimizer: { type: "adam", options: { lr: 0.01 } } },
    },
  });
  const { metrics } = await trainer.fit();
  trainer.dispose();
  return metrics["test/accuracy"] ?? 0;
}

await main();
