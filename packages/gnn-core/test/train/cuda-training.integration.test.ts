import { beforeEach, describe, expect, test } from "vitest";
import { activeCuda } from "../../src/backends/active-cuda.ts";
import type { CudaBackend } from "../../src/backends/cuda/cuda-backend.ts";
import { selectBackend } from "../../src/backends/select-backend.ts";
import { loopback } from "../../src/dist/loopback.ts";
import { DenseFeatureStore } from "../../src/features/dense-feature-store.ts";
import { graphFromEdges } from "../../src/graph/graph-from-edges.ts";
import { sage } from "../../src/models/sage.model.ts";
import { nn } from "../../src/nn/index.ts";
import { Adam } from "../../src/optim/adam.ts";
import { createBlockSampler } from "../../src/sampling/block-sampler.ts";
import { classificationTask } from "../../src/tasks/node-classification.task.ts";
import { taskKit } from "../../src/tasks/task-kit.ts";
import { DeviceBucket } from "../../src/train/device-bucket.ts";
import { makeBucket } from "../../src/train/make-bucket.ts";
import { StepClock } from "../../src/train/step-clock.ts";
import { trainStep } from "../../src/train/train-step.ts";
import { Trainer } from "../../src/train/trainer.ts";
import { collectGarbage } from "../support/collect-garbage.ts";
import { emulated, useEmulatedDevice } from "../support/cuda-emulated.ts";
import { randomFloats } from "../support/seeded-random.ts";
import { communityData } from "./support/community-data.ts";
import { optionsOf, seriesOf, trainRanks } from "./support/train-ranks.ts";

const tiny = { numNodes: 40, numClasses: 3, dim: 6, numTrain: 20, degree: 4 };
const hidden = { hiddenFeats: 8 };
const models = {
  sage: { type: "sage", options: { ...hidden, dropout: 0.2 } },
  gcn: { type: "gcn", options: { ...hidden, dropout: 0.2 } },
  gat: { type: "gat", options: { ...hidden, heads: 2 } },
  gin: { type: "gin", options: hidden },
} as const;
const sampling = { type: "neighbor" as const, options: { fanouts: [3, 2] } };

/** One step an epoch, so that each epoch's loss is a step's. */
const twentySteps = { epochs: 20, batchSize: 20, evaluate: { everyEpochs: 20 } };

useEmulatedDevice();

function cuda(): CudaBackend {
  return activeCuda() as CudaBackend;
}

const onCuda = () => selectBackend("cuda", emulated);
const onNative = () => selectBackend("native");

describe("training on the emulated device", () => {
  test.each(Object.keys(models) as (keyof typeof models)[])(
    "%s has native's losses over 20 steps, and its predictions",
    async (name) => {
      const data = await communityData(tiny);
      const options = optionsOf({ model: models[name], sampling, train: twentySteps });
      const run = async () => {
        const trainer = await Trainer.create({ data, options, threads: 1 });
        const losses: number[] = [];
        await trainer.fit({
          onEvent: (event) => {
            if (event.type === "metrics" && "train/loss" in event.values)
              losses.push(event.values["train/loss"] as number);
          },
        });
        const { logits } = await trainer.infer();
        trainer.dispose();
        return { losses, logits };
      };
      await onNative();
      const expected = await run();
      await onCuda();
      const found = await run();
      expect(found.losses).toHaveLength(20);
      for (const [i, loss] of found.losses.entries()) expect(Math.abs(loss - expected.losses[i]!)).toBeLessThan(1e-4);
      for (const [i, logit] of found.logits.entries()) expect(Math.abs(logit - expected.logits[i]!)).toBeLessThan(1e-3);
    },
  );

  test.each([
    ["native", onNative, "SPEC_INVALID", /\/train\/precision: tf32 is for GPUs/],
    [
      "cuda, emulated, without cuBLASLt",
      onCuda,
      "DEVICE_NOT_AVAILABLE",
      /cuBLASLt's, which cannot be used here: the device is an emulated one/,
    ],
  ] as const)("%s refuses a precision that it does not have", async (_name, choose, code, message) => {
    await choose();
    const options = optionsOf({ model: models.sage, sampling, train: { ...twentySteps, precision: "tf32" } });
    const created = Trainer.create({ data: await communityData(tiny), options, threads: 1 });
    await expect(created).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
  });

  test("two ranks have one rank's losses, through the host's memory once a step", async () => {
    await onCuda();
    const data = await communityData(tiny);
    const train = { epochs: 6, batchSize: 10, evaluate: { everyEpochs: 6 } };
    const options = optionsOf({ model: { type: "sage", options: { ...hidden, dropout: 0 } }, sampling, train });
    const [one] = await trainRanks(data, options, 1);
    const two = await trainRanks(data, options, 2);
    const expected = seriesOf(one!, "train/loss");
    expect(expected).toHaveLength(6);
    for (const [epoch, loss] of seriesOf(two[0]!, "train/loss").entries()) {
      expect(Math.abs(loss / expected[epoch]! - 1)).toBeLessThan(1e-5);
    }
    expect(two[1]!.weights).toEqual(two[0]!.weights);
  });
});

/** Steps of GraphSAGE with three layers on sampled blocks of a small graph. */
async function stepsOfSage(firstFeature = 0.5) {
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
  const model = sage.create(sage.options.parse({ ...hidden, numLayers: 3 }), { inDim: 5, outDim: 3, seed: 1 }, nn);
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

/** Bytes of the device that somebody holds, when what nobody can reach any more is gone. */
async function takenBytes(): Promise<number> {
  await collectGarbage();
  return cuda().addon.deviceCounters().takenBytes;
}

describe("a step on the emulated device", () => {
  beforeEach(onCuda);

  test("waits for nothing, reads nothing back and runs no stock kernel", async () => {
    const { step, bucket, dispose } = await stepsOfSage();
    expect(bucket).toBeInstanceOf(DeviceBucket);
    await step(0);
    cuda().scriptKernels.clear();
    const readBacks = cuda().readBacks;
    const before = cuda().addon.deviceCounters();
    const numSteps = 5;
    for (let i = 1; i <= numSteps; i++) await step(i);
    const after = cuda().addon.deviceCounters();
    expect([...cuda().scriptKernels]).toEqual([]);
    expect(cuda().readBacks - readBacks).toBe(0);
    expect(after.synchronizations - before.synchronizations).toBe(0);
    expect(after.downloads - before.downloads).toBe(0);
    console.info(
      `GraphSAGE of three layers: ${(after.launches - before.launches) / numSteps} kernels and ${(after.uploads - before.uploads) / numSteps} uploads a step`,
    );
    expect((after.launches - before.launches) / numSteps).toBeLessThanOrEqual(40);
    const sums = await bucket.pendingSums();
    expect(sums.trials).toBe(3 * (1 + numSteps));
    expect(sums.lossSum / sums.weightSum).toBeGreaterThan(0);
    dispose();
  });

  test("gives back every byte of the device", async () => {
    const empty = await takenBytes();
    const { step, bucket, dispose } = await stepsOfSage();
    for (let i = 0; i < 20; i++) await step(i);
    await bucket.pendingSums();
    const early = cuda().addon.deviceCounters().takenBytes;
    for (let i = 20; i < 120; i++) {
      await step(i);
      if (i % 50 === 0) await bucket.pendingSums();
    }
    expect(cuda().addon.deviceCounters().takenBytes).toBe(early);
    dispose();
    // The features stay as long as their store.
    expect(cuda().addon.deviceCounters().takenBytes - empty).toBe(512);
  });

  test("that finds no memory left is a DEVICE_OUT_OF_MEMORY, and the next run is as if nothing had been", async () => {
    const lossOf = async () => {
      const { step, bucket, dispose } = await stepsOfSage();
      try {
        for (let i = 0; i < 3; i++) await step(i);
        return (await bucket.pendingSums()).lossSum;
      } finally {
        dispose();
      }
    };
    const expected = await lossOf();
    const { addon } = cuda();
    addon.synchronize();
    addon.trimMemory();
    const taken = await takenBytes();
    const whole = 2 ** 32;
    addon.setEmulatedMemory?.((addon.emulatedMemoryInUse?.() as number) + 16_384);
    try {
      await expect(lossOf()).rejects.toMatchObject({
        code: "DEVICE_OUT_OF_MEMORY",
        message: expect.stringMatching(/no piece of \d+ bytes left.*Lower the batch size/),
      });
    } finally {
      addon.setEmulatedMemory?.(whole);
    }
    expect(await takenBytes()).toBe(taken);
    expect(await lossOf()).toBe(expected);
  });

  test("whose gradient is not finite changes no weight and ends the run with its number", async () => {
    const { step, bucket, weights, dispose } = await stepsOfSage(Number.NaN);
    await step(0);
    const before = weights();
    await step(1);
    expect(weights()).toEqual(before);
    await expect(bucket.pendingSums()).rejects.toMatchObject({
      code: "TRAIN_DIVERGED",
      message: expect.stringContaining("In epoch 0, step 0,"),
    });
    dispose();
  });
});
