/**
 * Epochs of GraphSAGE 3 × 256 on a graph of ogbn-products' shape: fanouts 15, 10, 5, batches of 1,024, features in the
 * device's memory: blocks sampled by the device, then by the host's threads, ahead of the steps. The first epoch of
 * each warms up. Both have the same losses, bit by bit.
 */
import { activeCuda } from "../../../packages/gnn-core/src/backends/active-cuda.ts";
import type { CudaBackend } from "../../../packages/gnn-core/src/backends/cuda/cuda-backend.ts";
import { selectBackend } from "../../../packages/gnn-core/src/backends/select-backend.ts";
import { DenseFeatureStore } from "../../../packages/gnn-core/src/features/dense-feature-store.ts";
import { readShapedGraph } from "../../../packages/gnn-core/src/generate/shaped-graph-files.ts";
import { createBlockSampler } from "../../../packages/gnn-core/src/sampling/block-sampler.ts";
import type { StepEvent } from "../../../packages/gnn-core/src/spec/index.ts";
import { Trainer } from "../../../packages/gnn-core/src/train/trainer.ts";
import { optionsOf } from "../../../packages/gnn-core/test/train/support/train-ranks.ts";
import { device, graphDir, isSmall, rounded, tell } from "./arguments.ts";

const numEpochs = isSmall ? 2 : 4;
await selectBackend("cuda", device);
const { featureDim, features, ...graph } = await readShapedGraph(graphDir);
const data = { ...graph, features: new DenseFeatureStore(featureDim, [features]) };
const fanouts = isSmall ? [3, 2, 2] : [15, 10, 5];
const seed = 1;
const options = optionsOf({
  model: { type: "sage", options: { hiddenFeats: isSmall ? 8 : 256, numLayers: 3, dropout: 0.5 } },
  sampling: { type: "neighbor", options: { fanouts } },
  // Never evaluated: the run ends behind the last epoch that is timed.
  train: { epochs: numEpochs + 1, batchSize: isSmall ? 8 : 1024, seed, evaluate: { everyEpochs: numEpochs + 1 } },
});

/** @returns the loss of each epoch */
async function timeEpochs(sampling: "host" | "device"): Promise<number[]> {
  // A sampler of one's own takes the place of the device's.
  const sampler = sampling === "host" ? createBlockSampler({ graph: data.graph, fanouts, replace: false, seed }) : null;
  const trainer = await Trainer.create({ data, options, sampler });
  const { addon } = activeCuda() as CudaBackend;
  const before = addon.deviceCounters().downloadsAhead;
  const stop = new AbortController();
  const losses: number[] = [];
  let startedAt = performance.now();
  const onEvent = (event: StepEvent) => {
    if (event.type !== "metrics") return;
    const seconds = rounded((performance.now() - startedAt) / 1000);
    startedAt = performance.now();
    const loss = event.values["train/loss"] as number;
    losses.push(loss);
    tell({ epoch: losses.length, sampling, seconds, loss: rounded(loss) });
    if (losses.length === numEpochs) stop.abort();
  };
  await trainer.fit({ signal: stop.signal, onEvent }).catch((error: unknown) => {
    if (!stop.signal.aborted) throw error;
  });
  trainer.dispose();
  const isOnDevice = addon.deviceCounters().downloadsAhead > before;
  if (isOnDevice !== (sampling === "device")) throw new Error(`The blocks were not sampled by the ${sampling}.`);
  return losses;
}

// The device's first: what epochs of the host leave in this process costs the others a few percent.
const [ofDevice, ofHost] = [await timeEpochs("device"), await timeEpochs("host")];
if (ofHost.some((loss, i) => loss !== ofDevice[i])) {
  throw new Error(`Losses of the host's blocks, ${ofHost.join()}, are not those of the device's, ${ofDevice.join()}.`);
}
