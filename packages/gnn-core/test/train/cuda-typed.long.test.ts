import { beforeAll, describe, expect, test } from "vitest";
import { activeCuda } from "../../src/backends/active-cuda.ts";
import type { CudaBackend } from "../../src/backends/cuda/cuda-backend.ts";
import { selectBackend } from "../../src/backends/select-backend.ts";
import { points } from "../../src/dist/points.ts";
import { DenseFeatureStore } from "../../src/features/dense-feature-store.ts";
import { graphFromRelations } from "../../src/graph/graph-from-relations.ts";
import type { TrainingData } from "../../src/graph/training-data.ts";
import { Trainer } from "../../src/train/trainer.ts";
import { emulated, useEmulatedDevice } from "../support/cuda-emulated.ts";
import { randomFloats } from "../support/seeded-random.ts";
import { optionsOf } from "./support/train-ranks.ts";

useEmulatedDevice();

const [numNodes, dim, numClasses] = [24, 6, 3];

/** A graph whose edges are of so many relations in turn. */
async function typedData(numRelations: number): Promise<TrainingData> {
  const edges = (relation: number) => {
    const at = Array.from({ length: 120 }, (_, i) => i).filter((i) => i % numRelations === relation);
    return { src: at.map((i) => (i * 7) % numNodes), dst: at.map((i) => (i * 5 + 1) % numNodes) };
  };
  const relations = Object.fromEntries(Array.from({ length: numRelations }, (_, r) => [`r${r}`, edges(r)]));
  return {
    graph: await graphFromRelations({ numNodes, relations }),
    features: new DenseFeatureStore(dim, [randomFloats(numNodes * dim, 3)]),
    labels: Int32Array.from({ length: numNodes }, (_, node) => node % numClasses),
    numClasses,
    split: Int8Array.from({ length: numNodes }, (_, node) => [1, 1, 2, 3][node % 4]!),
  };
}

/** Kernels that a step starts, the second of four */
async function launchesOfStep(type: string, numRelations: number): Promise<number> {
  const cuda = activeCuda() as CudaBackend;
  const options = optionsOf({
    model: { type, options: { hiddenFeats: 8, numLayers: 3 } },
    sampling: { type: "neighbor", options: { fanouts: [3, 2, 2] } },
    train: { epochs: 1, batchSize: 3 },
  });
  const trainer = await Trainer.create({ data: await typedData(numRelations), options, threads: 1 });
  const seen: number[] = [];
  const note = () => {
    seen.push(cuda.addon.deviceCounters().launches);
  };
  cuda.scriptKernels.clear();
  points.sampled.subscribe(note);
  try {
    await trainer.fit();
  } finally {
    points.sampled.unsubscribe(note);
    trainer.dispose();
  }
  return seen[2]! - seen[1]!;
}

describe("a step of typed edges on the emulated device", () => {
  beforeAll(() => selectBackend("cuda", emulated));

  test.each([
    ["rsage", 48],
    ["rgcn", 48],
    ["rgat", 168],
    ["simpleHgn", 148],
    ["hgt", 398],
  ])("%s of three layers starts at most %d kernels, however many relations there are", async (type, most) => {
    const few = await launchesOfStep(type, 2);
    console.info(`${type} of three layers: ${few} kernels a step`);
    expect(few).toBeLessThanOrEqual(most);
    expect(await launchesOfStep(type, 6)).toBe(few);
  });
});
