import { beforeEach, describe, expect, test } from "vitest";
import { activeCuda } from "../../src/backends/active-cuda.ts";
import type { CudaBackend } from "../../src/backends/cuda/cuda-backend.ts";
import { selectBackend } from "../../src/backends/select-backend.ts";
import { points } from "../../src/dist/points.ts";
import { createBlockSampler } from "../../src/sampling/block-sampler.ts";
import type { Sampler } from "../../src/sampling/sampler.ts";
import { withDegrees } from "../../src/sampling/with-degrees.ts";
import type { StepEvent } from "../../src/spec/index.ts";
import { Trainer } from "../../src/train/trainer.ts";
import type { TrainerOptions } from "../../src/train/trainer-setup.ts";
import { collectGarbage } from "../support/collect-garbage.ts";
import { emulated, useEmulatedDevice } from "../support/cuda-emulated.ts";
import { waitsOfSteps } from "../support/waits-of-steps.ts";
import { communityData } from "./support/community-data.ts";
import { optionsOf, seriesOf, trainRanks } from "./support/train-ranks.ts";

const models = {
  sage: { type: "sage", options: { hiddenFeats: 8, numLayers: 3, dropout: 0.2 } },
  gcn: { type: "gcn", options: { hiddenFeats: 8, numLayers: 3, dropout: 0.2 } },
  gat: { type: "gat", options: { hiddenFeats: 8, numLayers: 3, heads: 2 } },
  gin: { type: "gin", options: { hiddenFeats: 8, numLayers: 3 } },
} as const;
const draws = { fanouts: [3, 2, 2], replace: false };
const train = { epochs: 4, batchSize: 5, seed: 3, evaluate: { everyEpochs: 4 } };
const data = await communityData({ numNodes: 40, numClasses: 3, dim: 6, numTrain: 20, degree: 4 });
const sampling = { type: "neighbor" as const, options: draws };

useEmulatedDevice();
beforeEach(() => selectBackend("cuda", emulated));

function cuda(): CudaBackend {
  return activeCuda() as CudaBackend;
}

async function trained(options: TrainerOptions, sampler: Sampler | null = null) {
  const trainer = await Trainer.create({ data, options, sampler, threads: 1 });
  const events: StepEvent[] = [];
  const waits = await waitsOfSteps(() => trainer.fit({ onEvent: (event) => events.push(event) }));
  const weights = trainer.model.variables.flatMap(({ variable }) => [...variable.dataSync()]);
  trainer.dispose();
  const series = (name: string) =>
    events.flatMap((event) => (event.type === "metrics" && name in event.values ? [event.values[name]] : []));
  return { losses: series("train/loss"), weights, waits, said: logged(events) };
}

function logged(events: readonly StepEvent[]) {
  return events.flatMap((event) => (event.type === "log" ? [event] : []));
}

/** What the log gives as the reason why the host samples */
function whyNot(said: ReturnType<typeof logged>): unknown {
  return said.find(({ message }) => message.startsWith("The host samples the blocks"))?.fields?.["whyNot"];
}

describe("training with blocks that the device samples", () => {
  test.each(Object.entries(models))(
    "%s has the bits of blocks that the host samples, without a wait",
    async (_, model) => {
      const host = createBlockSampler({ graph: data.graph, ...draws, seed: train.seed });
      const options = { model, sampling, train };
      const before = cuda().addon.deviceCounters().downloadsAhead;
      const expected = await trained(
        options,
        model.type === "gat" || model.type === "sage" ? host : withDegrees(host, data.graph),
      );
      expect(cuda().addon.deviceCounters().downloadsAhead).toBe(before);
      const found = await trained(options);
      expect(cuda().addon.deviceCounters().downloadsAhead).toBeGreaterThan(before);
      expect(found.losses).toHaveLength(4);
      expect(found.losses).toEqual(expected.losses);
      expect(found.weights).toEqual(expected.weights);
      // Four steps an epoch; the host waits for the device between epochs alone.
      const waited = found.waits.slice(1).map((count, step) => count - found.waits[step]!);
      for (const [i, count] of waited.entries()) if ((i + 1) % 4 !== 0) expect(count).toBe(0);
    },
  );

  test("says where the graph lies", async () => {
    const { said } = await trained({ model: models.sage, sampling, train });
    expect(said.map(({ message }) => message)).toContain(
      "The graph lies in the device's memory, and the device samples the blocks of each step",
    );
  });

  test.each([
    ["another sampler", { sampling: { type: "labor", options: { fanouts: [3, 2, 2] } } }, /draws neighbours uniformly/],
    ["a model that reads no neighbours", { model: { type: "mlp", options: {} } }, /reads no neighbours/],
  ] as const)("is left to the host for %s, which the log says", async (_, change, why) => {
    const before = cuda().addon.deviceCounters().downloadsAhead;
    const { said } = await trained({ model: models.sage, sampling, train, ...change });
    expect(whyNot(said)).toMatch(why);
    expect(cuda().addon.deviceCounters().downloadsAhead).toBe(before);
  });

  test("of two ranks is that of one", async () => {
    const options = optionsOf({
      model: { type: "sage", options: { hiddenFeats: 8, numLayers: 3, dropout: 0 } },
      sampling,
      train,
    });
    const [one] = await trainRanks(data, options, 1);
    const two = await trainRanks(data, options, 2);
    const expected = seriesOf(one!, "train/loss");
    for (const [epoch, loss] of seriesOf(two[0]!, "train/loss").entries()) {
      expect(Math.abs(loss / expected[epoch]! - 1)).toBeLessThan(1e-5);
    }
    expect(two[1]!.weights).toEqual(two[0]!.weights);
  });

  test("leaves no byte on the device, over a thousand steps", async () => {
    const { addon } = cuda();
    const seen: number[] = [];
    const note = ({ epoch, step }: { readonly epoch: number; readonly step: number }) => {
      if (step !== 3 || epoch % 50 !== 0) return;
      addon.synchronize();
      seen.push(addon.deviceCounters().takenBytes);
    };
    const fit = async (epochs: number) => {
      const options = { model: models.sage, sampling, train: { ...train, epochs, evaluate: { everyEpochs: epochs } } };
      const trainer = await Trainer.create({ data, options, threads: 1 });
      await trainer.fit({});
      trainer.dispose();
      await collectGarbage();
      addon.synchronize();
      return addon.deviceCounters().takenBytes;
    };
    const before = await fit(1);
    points.sampled.subscribe(note as never);
    try {
      expect(await fit(250)).toBe(before);
    } finally {
      points.sampled.unsubscribe(note as never);
    }
    expect(seen).toHaveLength(5);
    // A piece of each class more or less: which batches lie ready depends on threads.
    expect(Math.max(...seen) - Math.min(...seen)).toBeLessThan(64 * 512);
  });

  test("starts ten kernels a hop for blocks beside those of the step", async () => {
    const { addon } = cuda();
    const host = createBlockSampler({ graph: data.graph, ...draws, seed: train.seed });
    const launchesOf = async (sampler: Sampler | null) => {
      const { launches } = addon.deviceCounters();
      await trained({ model: models.sage, sampling, train }, sampler);
      return addon.deviceCounters().launches - launches;
    };
    const ofHost = await launchesOf(host);
    const steps = 16;
    expect(((await launchesOf(null)) - ofHost) / steps / 3).toBeLessThanOrEqual(10);
  });

  test("is left to the host where the device has no room for the graph", async () => {
    const { addon } = cuda();
    addon.trimMemory();
    // What a step needs begins with 600 MB of the driver's.
    addon.setEmulatedMemory?.(600e6 + 30_000);
    try {
      const { said, losses } = await trained({ model: models.sage, sampling, train });
      expect(whyNot(said)).toMatch(/does not fit/);
      addon.setEmulatedMemory?.(2 ** 32);
      expect((await trained({ model: models.sage, sampling, train })).losses).toEqual(losses);
    } finally {
      addon.setEmulatedMemory?.(2 ** 32);
    }
  });
});
