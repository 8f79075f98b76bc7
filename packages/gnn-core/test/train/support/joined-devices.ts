import { mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect } from "vitest";
import { selectBackend } from "../../../src/backends/select-backend.ts";
import { samplingWords } from "../../../src/host/graph-placement.ts";
import { trainStepOptions } from "../../../src/spec/index.ts";
import type { TrainStepOptions } from "../../../src/spec/train-options.ts";
import { buildEmulated } from "../../support/cuda-emulated.ts";
import { type CommunityOptions, communityData } from "./community-data.ts";
import { trainGlooRanks } from "./gloo-ranks.ts";
import { seriesOf, trainRanks } from "./train-ranks.ts";

// The last of three batches has one seed, of which rank 0 has none.
const data: CommunityOptions = { numNodes: 40, numClasses: 3, dim: 6, numTrain: 21, degree: 4 };
const sgd = { type: "sgd", options: { lr: 0.1 } };
const train = { epochs: 3, batchSize: 10, optimizer: sgd, evaluate: { everyEpochs: 3 } };
const sampling = { type: "neighbor", options: { fanouts: [3, 2] } };
const task = { target: "label" };
const layers = { hiddenFeats: 8, numLayers: 2, dropout: 0 };

/** What ranks have in common in a step beside their gradients, each with a job that has it */
export const inCommon: Readonly<Record<string, TrainStepOptions>> = {
  "statistics of batches": trainStepOptions.parse({
    task,
    model: { type: "sage", options: { ...layers, numLayers: 3, norm: "batch" } },
    sampling: { type: "neighbor", options: { fanouts: [3, 2, 2] } },
    train,
  }),
  histories: trainStepOptions.parse({
    task,
    model: { type: "gcn", options: { ...layers, numLayers: 3 } },
    sampling: { type: "controlVariate", options: { numNeighbors: 1 } },
    train,
  }),
  "rows of two views": trainStepOptions.parse({
    task: { type: "grace", dim: 8, projectionFeats: 8 },
    model: { type: "gcn", options: layers },
    sampling,
    // The last of its batches has one node.
    train: { ...train, batchSize: 13 },
  }),
  "learned rows": trainStepOptions.parse({
    task,
    model: { type: "sage", options: layers },
    sampling,
    train,
    features: { embedding: { dim: 5, optimizer: { type: "sparseAdagrad", options: { lr: 0.05 } } } },
  }),
};

let libraries = "";

/** For a file whose tests train on emulated devices that a double of NCCL joins. */
export function useJoinedDevices(): void {
  beforeAll(async () => {
    buildEmulated("--nccl-double");
    libraries = await mkdtemp(join(tmpdir(), "hopwise-joined-devices-"));
    const double = new URL("../../../build/device/test-device/nccl-double.so", import.meta.url);
    await symlink(fileURLToPath(double), join(libraries, "libnccl.so.2"));
  }, 600_000);
  afterAll(() => rm(libraries, { recursive: true, force: true }));
}

/**
 * Trains with two ranks, each a process with a device of its own, and holds that they compute what one rank does on a
 * CPU, with the same bits on both, and that no step waits for a device.
 */
export async function expectOneRanksTraining(options: TrainStepOptions): Promise<void> {
  await selectBackend("native");
  const [one] = await trainRanks(await communityData(data), options, 1);
  const scratchDir = join(libraries, "rows");
  await mkdir(scratchDir, { recursive: true });
  const environment = () => ({ LD_LIBRARY_PATH: libraries });
  const ranks = await trainGlooRanks({ worldSize: 2, data, options, scratchDir, onDevices: true, environment });
  expect(ranks.map(({ code, message }) => [code, message])).toEqual([
    [null, ""],
    [null, ""],
  ]);
  const [first, second] = ranks;
  expect(first!.sums).toMatch(/from device to device/);
  // Tasks of two views and control variates draw in other ways (docs/guides/gpu.md).
  const isDrawnThere = options.sampling.type === "neighbor" && options.task.type !== "grace";
  expect(first!.sampledBy).toBe(samplingWords[isDrawnThere ? "device" : "host"]);
  const losses = seriesOf(one!, "train/loss");
  expect(first!.losses).toHaveLength(losses.length);
  for (const [epoch, loss] of first!.losses.entries()) expect(Math.abs(loss / losses[epoch]! - 1)).toBeLessThan(1e-4);
  for (const [i, weight] of first!.weights.entries()) expect(weight).toBeCloseTo(one!.weights[i]!, 4);
  for (const [i, value] of first!.rows.entries()) expect(value).toBeCloseTo(one!.rows[i]!, 4);
  expect(second!.weights).toEqual(first!.weights);
  for (const { waits } of ranks) expectNoWaits(waits, losses.length);
}

/** Only the flag of its sum comes down in a step but an epoch's last, behind which the host looks what came of all. */
function expectNoWaits(seen: readonly { waits: number; downloads: number }[], epochs: number): void {
  const steps = seen.length / epochs;
  expect(steps).toBeGreaterThan(2);
  for (let first = 0; first < seen.length; first += steps) {
    const last = seen[first + steps - 1]!;
    expect(last.waits).toBe(seen[first]!.waits);
    expect(last.downloads - seen[first]!.downloads).toBe(steps - 1);
  }
}
