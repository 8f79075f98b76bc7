/**
 * Epochs of GraphSAGE 3 × 256 on a graph of ogbn-papers100M's size, graph and features in the device's memory: 111
 * million nodes of 128 columns, 3.2 billion edges, 1.2 million training nodes; fanouts 15, 10, 5, batches of 1,024. The
 * first epoch warms up. Rows of the host's features repeat, as 57 GB of them need not lie there; each row of the
 * device's has memory of its own.
 */
import { dirname, join } from "node:path";
import { activeCuda } from "../../../packages/gnn-core/src/backends/active-cuda.ts";
import type { CudaBackend } from "../../../packages/gnn-core/src/backends/cuda/cuda-backend.ts";
import { selectBackend } from "../../../packages/gnn-core/src/backends/select-backend.ts";
import { DenseFeatureStore } from "../../../packages/gnn-core/src/features/dense-feature-store.ts";
import { splitCode } from "../../../packages/gnn-core/src/graph/split-nodes.ts";
import { usableMemory } from "../../../packages/gnn-core/src/host/usable.ts";
import type { StepEvent } from "../../../packages/gnn-core/src/spec/index.ts";
import { Trainer } from "../../../packages/gnn-core/src/train/trainer.ts";
import { optionsOf } from "../../../packages/gnn-core/test/train/support/train-ranks.ts";
import { device, isSmall, rounded, tell } from "./arguments.ts";
import { largeGraph } from "./large-graph.ts";

const numEpochs = isSmall ? 1 : 3;
const numNodes = isSmall ? 2000 : 111_059_956;
const dim = isSmall ? 8 : 128;
const numClasses = isSmall ? 3 : 172;
const neededBytes = { device: 80e9, host: 40e9 };

await selectBackend("cuda", device);
const { addon } = activeCuda() as CudaBackend;
const found = { device: addon.deviceMemory().totalBytes, host: usableMemory() };
const tooSmall = (["device", "host"] as const).find((of) => found[of] < neededBytes[of]);
if (tooSmall && !isSmall) {
  tell({ notRun: `the ${tooSmall} has ${rounded(found[tooSmall] / 1e9)} GB; it takes ${neededBytes[tooSmall] / 1e9}` });
} else {
  await run();
}

async function run(): Promise<void> {
  let startedAt = performance.now();
  const lap = () => {
    const seconds = rounded((performance.now() - startedAt) / 1000);
    startedAt = performance.now();
    return seconds;
  };
  const shape = { numNodes, meanDegree: isSmall ? 6 : 29.1, exponent: 0.7, maxDegree: isSmall ? 100 : 250_000 };
  const graph = await largeGraph(shape, isSmall ? null : join(dirname(process.argv[1] as string), "draw-part.mjs"));
  const labels = Int32Array.from({ length: numNodes }, (_, node) => node % numClasses);
  const split = new Int8Array(numNodes).fill(splitCode.test);
  for (let node = 0; node < numNodes; node += 92) split[node] = splitCode.train;
  const features = new DenseFeatureStore(dim, repeatedRows());
  tell({ numNodes, numEdges: graph.numEdges, seconds: lap() });
  const options = optionsOf({
    model: { type: "sage", options: { hiddenFeats: isSmall ? 8 : 256, numLayers: 3, dropout: 0.5 } },
    sampling: { type: "neighbor", options: { fanouts: isSmall ? [3, 2, 2] : [15, 10, 5] } },
    train: {
      epochs: numEpochs + 1,
      batchSize: isSmall ? 8 : 1024,
      seed: 1,
      evaluate: { everyEpochs: numEpochs + 1 },
    },
  });
  const trainer = await Trainer.create({ data: { graph, features, labels, split, numClasses }, options });
  const stop = new AbortController();
  let epoch = 0;
  const onEvent = (event: StepEvent) => {
    if (event.type !== "metrics") return;
    const loss = rounded(event.values["train/loss"] as number);
    tell({ epoch: ++epoch, seconds: lap(), loss, sampledOnDevice: addon.deviceCounters().downloadsAhead > 0 });
    if (epoch === numEpochs) stop.abort();
  };
  await trainer.fit({ signal: stop.signal, onEvent }).catch((error: unknown) => {
    if (!stop.signal.aborted) throw error;
  });
  trainer.dispose();
}

/** float32 rows of all nodes, over and over the same ones of the host */
function repeatedRows(): Float32Array[] {
  const rows = Math.min(numNodes, 2 ** 21);
  const values = Float32Array.from({ length: rows * dim }, (_, i) => ((i * 2_654_435_761) % 1000) / 500 - 1);
  const all = Array.from({ length: Math.floor(numNodes / rows) }, () => values);
  return numNodes % rows === 0 ? all : [...all, values.subarray(0, (numNodes % rows) * dim)];
}
