import { beforeEach, describe, expect, test } from "vitest";
import { activeCuda } from "../../src/backends/active-cuda.ts";
import type { CudaBackend } from "../../src/backends/cuda/cuda-backend.ts";
import { selectBackend } from "../../src/backends/select-backend.ts";
import { DeviceBucket } from "../../src/train/device-bucket.ts";
import { Trainer } from "../../src/train/trainer.ts";
import { collectGarbage } from "../support/collect-garbage.ts";
import { emulated, useEmulatedDevice } from "../support/cuda-emulated.ts";
import { communityData } from "./support/community-data.ts";
import { stepsOfSage } from "./support/steps-of-sage.ts";
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

  test("frozen layers keep their bits, and the others learn as they do on CPUs", async () => {
    const data = await communityData(tiny);
    const options = optionsOf({ model: models.sage, sampling, train: twentySteps });
    await onNative();
    const weights = (await trainRanks(data, options, 1))[0]!.stored;
    const start = { weights, transforms: [], layers: "all", freeze: ["layers.0"] } as const;
    const [expected] = await trainRanks(data, options, 1, { start });
    await onCuda();
    const [found] = await trainRanks(data, options, 1, { start });
    for (const [i, { name, values }] of found!.stored.entries()) {
      if (name.startsWith("layers.0.")) expect(values).toEqual(weights.find((one) => one.name === name)?.values);
      else for (const [j, value] of values.entries()) expect(value).toBeCloseTo(expected!.stored[i]!.values[j]!, 3);
    }
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

/** Bytes of the device that somebody holds, when all that was enqueued is done. */
function heldBytes(): number {
  cuda().addon.synchronize();
  return cuda().addon.deviceCounters().takenBytes;
}

/** As `heldBytes`, when what nobody can reach any more is gone. */
async function takenBytes(): Promise<number> {
  await collectGarbage();
  return heldBytes();
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
    const early = heldBytes();
    for (let i = 20; i < 120; i++) {
      await step(i);
      if (i % 50 === 0) await bucket.pendingSums();
    }
    expect(heldBytes()).toBe(early);
    dispose();
    // The features stay as long as their store.
    expect(heldBytes() - empty).toBe(512);
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
