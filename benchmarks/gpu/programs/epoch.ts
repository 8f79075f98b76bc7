/**
 * Epochs of GraphSAGE 3 × 256 on a graph of ogbn-products' shape: fanouts 15, 10, 5, batches of 1,024, features in the
 * device's memory, blocks sampled by the host's threads ahead of the steps. The first epoch warms up.
 */
import { selectBackend } from "../../../packages/gnn-core/src/backends/select-backend.ts";
import { DenseFeatureStore } from "../../../packages/gnn-core/src/features/dense-feature-store.ts";
import { readShapedGraph } from "../../../packages/gnn-core/src/generate/shaped-graph-files.ts";
import { Trainer } from "../../../packages/gnn-core/src/train/trainer.ts";
import { optionsOf } from "../../../packages/gnn-core/test/train/support/train-ranks.ts";
import { device, graphDir, isSmall, rounded, tell } from "./arguments.ts";

const numEpochs = isSmall ? 2 : 4;
await selectBackend("cuda", device);
const { featureDim, features, ...graph } = await readShapedGraph(graphDir);
const trainer = await Trainer.create({
  data: { ...graph, features: new DenseFeatureStore(featureDim, [features]) },
  options: optionsOf({
    model: { type: "sage", options: { hiddenFeats: isSmall ? 8 : 256, numLayers: 3, dropout: 0.5 } },
    sampling: { type: "neighbor", options: { fanouts: isSmall ? [3, 2, 2] : [15, 10, 5] } },
    // Never evaluated: the run ends behind the last epoch that is timed.
    train: { epochs: numEpochs + 1, batchSize: isSmall ? 8 : 1024, evaluate: { everyEpochs: numEpochs + 1 } },
  }),
});
const stop = new AbortController();
let startedAt = performance.now();
let epoch = 0;
await trainer
  .fit({
    signal: stop.signal,
    onEvent: (event) => {
      if (event.type !== "metrics") return;
      const seconds = rounded((performance.now() - startedAt) / 1000);
      startedAt = performance.now();
      tell({ epoch: ++epoch, sampling: "host", seconds, loss: rounded(event.values["train/loss"] as number) });
      if (epoch === numEpochs) stop.abort();
    },
  })
  .catch((error: unknown) => {
    if (!stop.signal.aborted) throw error;
  });
trainer.dispose();
