import { afterEach, expect, test } from "vitest";
import { activeCuda } from "../../src/backends/active-cuda.ts";
import { selectBackend } from "../../src/backends/select-backend.ts";
import { Trainer } from "../../src/train/trainer.ts";
import { emulated, useEmulatedDevice } from "../support/cuda-emulated.ts";
import { communityData } from "./support/community-data.ts";
import { optionsOf } from "./support/train-ranks.ts";

useEmulatedDevice();
const addon = () => activeCuda()!.addon;
afterEach(() => {
  addon().loseEmulatedDeviceAfter?.(0);
  addon().resetEmulatedDevice?.();
});

const options = optionsOf({
  model: { type: "sage", options: { hiddenFeats: 8, numLayers: 2 } },
  sampling: { type: "neighbor", options: { fanouts: [3, 2] } },
  train: { epochs: 4, batchSize: 10, evaluate: { everyEpochs: 4 } },
});

async function train(onEpoch: (epoch: number) => void = () => undefined): Promise<number[]> {
  const data = await communityData({ numNodes: 40, numClasses: 3, dim: 6, numTrain: 20, degree: 4 });
  const trainer = await Trainer.create({ data, options });
  const losses: number[] = [];
  await trainer.fit({
    onEvent: (event) => {
      const loss = event.type === "metrics" ? event.values["train/loss"] : undefined;
      if (typeof loss === "number") onEpoch(losses.push(loss));
    },
  });
  return losses;
}

test("a device that is lost in the middle of a step ends the training as DEVICE_LOST, and another one trains as ever", async () => {
  await selectBackend("cuda", emulated);
  const expected = await train();
  // A step is more than 38 kernels: the loss is in the middle of the first one behind the epoch.
  const lost = train((epoch) => epoch === 1 && addon().loseEmulatedDeviceAfter?.(20));
  await expect(lost).rejects.toMatchObject({ code: "DEVICE_LOST" });
  addon().resetEmulatedDevice?.();
  expect(await train()).toEqual(expected);
});
