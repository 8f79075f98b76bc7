import { loopback } from "../../../src/dist/loopback.ts";
import { DenseFeatureStore } from "../../../src/features/dense-feature-store.ts";
import { graphFromEdges } from "../../../src/graph/graph-from-edges.ts";
import { sage } from "../../../src/models/sage.model.ts";
import { nn } from "../../../src/nn/index.ts";
import { Adam } from "../../../src/optim/adam.ts";
import { createBlockSampler } from "../../../src/sampling/block-sampler.ts";
import { classificationTask } from "../../../src/tasks/node-classification.task.ts";
import { taskKit } from "../../../src/tasks/task-kit.ts";
import type { DeviceBucket } from "../../../src/train/device-bucket.ts";
import { makeBucket } from "../../../src/train/make-bucket.ts";
import { StepClock } from "../../../src/train/step-clock.ts";
import { trainStep } from "../../../src/train/train-step.ts";
import { randomFloats } from "../../support/seeded-random.ts";

/** Steps of GraphSAGE with three layers on sampled blocks of a small graph. */
export async function stepsOfSage(firstFeature = 0.5) {
  const numNodes = 12;
  const edges = Int32Array.from({ length: 40 }, (_, i) => i);
  const graph = await graphFromEdges({
    numNodes,
    src: edges.map((i) => (i * 7) % numNodes),
    dst: edges.map((i) => (i * 5 + 1) % numNodes),
  });
  const sampler = createBlockSampler({ graph, fanouts: [3, 2, 2], replace: false, seed: 1 });
  const features = randomFloats(numNodes * 5, 2).map((value, i) => (i % 5 === 0 ? firstFeature : value));
  const store = new DenseFeatureStore(5, [features]);
  const model = sage.create(sage.options.parse({ hiddenFeats: 8, numLayers: 3 }), { inDim: 5, outDim: 3, seed: 1 }, nn);
  const labels = Int32Array.from({ length: numNodes }, (_, i) => i % 3);
  const seeds = Int32Array.of(1, 4, 7);
  const bucket = makeBucket(model, false) as DeviceBucket;
  const parts = {
    model,
    bucket,
    collective: loopback(),
    optimizer: new Adam(model.variables, { lr: 0.01 }),
    task: classificationTask(labels, new Float32Array(3).fill(1), () => seeds, taskKit),
    gradClipNorm: 1,
    clock: new StepClock(),
    signal: new AbortController().signal,
  };
  const step = async (number: number) => {
    const context = { training: true, seed: 3, epoch: 0, step: number };
    const blocks = await sampler.sample(seeds, context);
    const inputNodes = blocks[0]?.srcIds as Int32Array;
    const features = await store.gatherAsync(inputNodes);
    const batch = { ...context, seeds, blocks, inputNodes, features, labels: null, sampleMs: 0, gatherMs: 0 };
    await trainStep(parts, batch, context);
  };
  const dispose = () => {
    bucket.dispose();
    parts.optimizer.dispose();
    model.dispose();
  };
  const weights = () => model.variables.flatMap(({ variable }) => [...variable.dataSync()]);
  return { step, bucket, weights, dispose };
}
