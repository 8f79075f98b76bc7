import { beforeEach, describe, expect, test, vi } from "vitest";
import { activeCuda } from "../../src/backends/active-cuda.ts";
import type { CudaBackend } from "../../src/backends/cuda/cuda-backend.ts";
import { selectBackend } from "../../src/backends/select-backend.ts";
import { loopbackGroup } from "../../src/dist/loopback.ts";
import { points } from "../../src/dist/points.ts";
import { sharedRowsInMemory } from "../../src/dist/shared-rows.ts";
import { inProcessRowServices } from "../../src/dist-store/in-process-rows.ts";
import { noFeatures } from "../../src/features/no-features.ts";
import { samplingWords } from "../../src/host/graph-placement.ts";
import { dotDecoder } from "../../src/links/decoders/dot.ts";
import type { LinkLearning } from "../../src/links/link-task.ts";
import { infoNce } from "../../src/links/losses/info-nce.ts";
import { noNegatives } from "../../src/links/negatives/none.ts";
import { sharedTails } from "../../src/links/negatives/shared.ts";
import { splitLinks } from "../../src/links/split-links.ts";
import type { StepEvent } from "../../src/spec/index.ts";
import { Trainer } from "../../src/train/trainer.ts";
import type { TrainerOptions } from "../../src/train/trainer-setup.ts";
import { emulated, useEmulatedDevice } from "../support/cuda-emulated.ts";
import { seededRandom } from "../support/seeded-random.ts";
import { waitsOfSteps } from "../support/waits-of-steps.ts";

vi.setConfig({ testTimeout: 120_000 });
useEmulatedDevice();

const numUsers = 24;
const numNodes = 60;
const perStep = 40;

/** Users and what they like: more often what is of their group. */
async function visits(weights: "none" | "some" = "none") {
  const random = seededRandom(11);
  const rows: [number, number][] = [];
  for (let user = 0; user < numUsers; user++) {
    for (let item = numUsers; item < numNodes; item++) {
      if (random() < (user % 3 === item % 3 ? 0.6 : 0.08)) rows.push([user, item]);
    }
  }
  const [src, dst] = [0, 1].map((end) => Int32Array.from(rows, (row) => row[end]!)) as [Int32Array, Int32Array];
  const nodeTypes = {
    codes: Int32Array.from({ length: numNodes }, (_, node) => Number(node >= numUsers)),
    names: ["user", "item"],
  };
  const ofEdges = weights === "some" ? { weights: Float32Array.from(src, (_, row) => 1 + (row % 3)) } : {};
  const split = await splitLinks(
    { src, dst, numNodes, directed: false, nodeTypes, ...ofEdges },
    { sides: { type: "random", val: 0.05, test: 0.05, seed: 0 }, negatives: { perLink: 1, seed: 0 } },
  );
  const shared = sharedTails({ perLink: 8, seed: 0, numNodes, groups: split.groups });
  const loss = { loss: infoNce(0.5), learnsCosines: true, negatives: noNegatives(), shared };
  const links: LinkLearning = { split, dim: 8, decoder: dotDecoder, recommends: { to: "user" }, ...loss };
  return { links, data: { graph: split.graph, features: noFeatures(numNodes), split: new Int8Array(numNodes) } };
}

type Given = Awaited<ReturnType<typeof visits>>;

function optionsOf({ links }: Given, model: TrainerOptions["model"], epochs: number): TrainerOptions {
  const steps = Math.ceil(links.split.train.src.length / perStep);
  return {
    model,
    sampling: { type: "full", options: {} },
    features: { embedding: { dim: 8, optimizer: { type: "sparseAdam", options: { lr: 0.05 } } } },
    train: { epochs: Math.ceil(epochs / steps) || 1, batchSize: perStep, evaluate: { everyEpochs: 100 } },
  };
}

const lightGcn = { type: "lightGcn", options: { numHops: 3 } } as const;

interface Run {
  readonly losses: readonly number[];
  readonly log: readonly (readonly [string, unknown])[];
}

async function train(given: Given, model: TrainerOptions["model"], worldSize = 1, epochs = 20): Promise<Run> {
  const sharedRows = sharedRowsInMemory();
  const services = inProcessRowServices(worldSize);
  const runs = loopbackGroup(worldSize).map(async (collective, rank): Promise<Run> => {
    const connectRows = async () => services[rank]!;
    const place = {
      rank,
      worldSize,
      localRank: rank,
      numHosts: 1,
      device: "cpu",
      threads: 1,
      collective,
      connectRows,
    } as const;
    const options = optionsOf(given, model, epochs);
    const trainer = await Trainer.create({ ...given, options, rank: place, sharedRows });
    const losses: number[] = [];
    const log: [string, unknown][] = [];
    const onEvent = (event: StepEvent) => {
      if (event.type === "metrics" && "train/loss" in event.values) losses.push(event.values["train/loss"] as number);
      if (event.type === "log") log.push([event.message, event.fields?.whyNot]);
    };
    await trainer.fit({ onEvent });
    trainer.dispose();
    return { losses, log };
  });
  return (await Promise.all(runs))[0]!;
}

const onCuda = () => selectBackend("cuda", emulated);
const cuda = () => activeCuda() as CudaBackend;

describe("training links on a whole graph that the device has", () => {
  beforeEach(() => selectBackend("native"));

  test.each([
    ["lightGcn", lightGcn],
    ["gcn", { type: "gcn", options: { hiddenFeats: 8, numLayers: 2, dropout: 0.1 } }],
    ["sage", { type: "sage", options: { hiddenFeats: 8, numLayers: 2, dropout: 0.1 } }],
    ["gat", { type: "gat", options: { hiddenFeats: 8, numLayers: 2, heads: 2, dropout: 0.1 } }],
  ] as const)("%s has the losses of the native backend over 20 steps", async (_, model) => {
    const given = await visits();
    const expected = await train(given, model);
    await onCuda();
    const found = await train(given, model);
    expect(found.log).toContainEqual([samplingWords.device, undefined]);
    expect(found.losses.length).toBeGreaterThan(1);
    for (const [i, loss] of found.losses.entries()) expect(Math.abs(loss - expected.losses[i]!)).toBeLessThan(1e-4);
  });

  test("two ranks have one rank's losses", async () => {
    await onCuda();
    const given = await visits();
    const [one, two] = [await train(given, lightGcn), await train(given, lightGcn, 2)];
    for (const [i, loss] of two.losses.entries()) expect(Math.abs(loss / one.losses[i]! - 1)).toBeLessThan(1e-5);
  });

  test("a step waits for nothing, and uploads no more than some ids for each of its pairs and shared nodes", async () => {
    await onCuda();
    const given = await visits();
    const bytes: number[] = [];
    const note = () => bytes.push(cuda().addon.deviceCounters().uploadedBytes);
    points.sampled.subscribe(note);
    const waits = await waitsOfSteps(() => train(given, lightGcn, 1, 40)).finally(() =>
      points.sampled.unsubscribe(note),
    );
    const last = given.links.split.train.src.length / perStep;
    // Between the first step, which uploads the rows that are learned, and the last, which has fewer pairs.
    for (let step = 2; step < last - 1; step++) {
      expect(waits[step]! - waits[step - 1]!).toBe(0);
      expect(bytes[step]! - bytes[step - 1]!).toBeLessThan(perStep * 8 * 4 + 64 * 8 * 4);
    }
    const { graph } = given.data;
    expect(bytes[0]!).toBeGreaterThan(graph.numEdges * 4);
  });

  test("is the host's to prepare where edges have weights, and the log says why", async () => {
    const given = await visits("some");
    const expected = await train(given, lightGcn, 1, 5);
    await onCuda();
    const found = await train(given, lightGcn, 1, 5);
    expect(found.log).toContainEqual([
      samplingWords.host,
      "links of a step are taken out of edges without weights alone",
    ]);
    for (const [i, loss] of found.losses.entries()) expect(Math.abs(loss - expected.losses[i]!)).toBeLessThan(1e-4);
  });
});
