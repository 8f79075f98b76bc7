import { expect, test } from "vitest";
import { activeCuda } from "../../src/backends/active-cuda.ts";
import { selectBackend } from "../../src/backends/select-backend.ts";
import { memory } from "../../src/backends/tf.ts";
import { points } from "../../src/dist/points.ts";
import { emulated, useEmulatedDevice } from "../support/cuda-emulated.ts";
import { communityData } from "../train/support/community-data.ts";
import { optionsOf, seriesOf, trainRanks } from "../train/support/train-ranks.ts";

useEmulatedDevice();

const tiny = { numNodes: 40, numClasses: 3, dim: 6, numTrain: 20, degree: 4 };
const sampling = { type: "controlVariate", options: { numNeighbors: 1 } };
const train = { epochs: 2, batchSize: 7, evaluate: { everyEpochs: 2 } };

test.each([
  ["sage", 0],
  ["gcn", 0.3],
])("histories of %s, dropout %d, on a device give native's losses, and no step waits for it", async (type, dropout) => {
  const data = await communityData(tiny);
  const options = optionsOf({ model: { type, options: { hiddenFeats: 4, numLayers: 3, dropout } }, sampling, train });
  await selectBackend("native");
  const [native] = await trainRanks(data, options, 1);
  await selectBackend("cuda", emulated);
  const cuda = activeCuda()!;
  const seen: number[] = [];
  const note = () => {
    const { synchronizations, downloads } = cuda.addon.deviceCounters();
    seen.push(cuda.readBacks + synchronizations + downloads);
  };
  points.sampled.subscribe(note);
  const numTensors = memory().numTensors;
  try {
    const [device] = await trainRanks(data, options, 1);
    const expected = seriesOf(native!, "train/loss");
    for (const [epoch, loss] of seriesOf(device!, "train/loss").entries()) {
      expect(Math.abs(loss / expected[epoch]! - 1)).toBeLessThan(1e-4);
    }
  } finally {
    points.sampled.unsubscribe(note);
  }
  // Steps of an epoch, each at its beginning
  expect(seen).toHaveLength(6);
  expect(seen[2]).toBe(seen[0]);
  expect(memory().numTensors).toBe(numTensors);
});
