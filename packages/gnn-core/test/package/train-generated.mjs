// Trains without a data set: a graph of the package's own generator, off the main thread.
import { DenseFeatureStore, graphShapes, scaleShape, shapedGraph, trainInWorker } from "@hopwise/gnn-core";

const { features, featureDim, ...data } = await shapedGraph(scaleShape(graphShapes["products-shaped"], 0.002), 1);
const { metrics } = await trainInWorker({
  data: { ...data, features: new DenseFeatureStore(featureDim, [features]) },
  options: {
    model: { type: "sage", options: { hiddenFeats: 64, numLayers: 2 } },
    sampling: { type: "neighbor", options: { fanouts: [10, 10] } },
    train: { epochs: 30, batchSize: 64, optimizer: { type: "adam", options: { lr: 0.01 } } },
  },
});
console.log(JSON.stringify({ accuracy: metrics["test/accuracy"] }));
