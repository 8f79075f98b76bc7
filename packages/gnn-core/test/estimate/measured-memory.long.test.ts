import { beforeEach, describe, expect, test } from "vitest";
import { selectBackend } from "../../src/backends/select-backend.ts";
import { emulated, useEmulatedDevice } from "../support/cuda-emulated.ts";
import { bytesOf, type Measured, measuredMemory } from "./support/measured-memory.ts";

useEmulatedDevice();
beforeEach(() => selectBackend("cuda", emulated));

const sage = { type: "sage", options: { hiddenFeats: 32, numLayers: 3 } };
const gcn = { type: "gcn", options: { hiddenFeats: 32, numLayers: 3, dropout: 0.3 } };
const remembering = { type: "controlVariate", options: { numNeighbors: 2 } };
const train = { epochs: 2 };

describe("the device's memory that a training takes is what the estimate counts at most, and two fifths of it at least", () => {
  test.each<[string, Measured]>([
    ["a plain one by Adam", { model: sage }],
    ["a plain one by SGD", { model: sage, train: { optimizer: { type: "sgd" } } }],
    ["batch normalisation", { model: { ...sage, options: { ...sage.options, norm: "batch" } } }],
    ["rows learned by sparseAdam", { model: sage, features: { embedding: { dim: 16 } } }],
    [
      "rows learned by sparseAdagrad",
      { model: sage, features: { embedding: { dim: 16, optimizer: { type: "sparseAdagrad" } } } },
    ],
  ])("%s", async (_name, options) => {
    const { peak, lines } = await measuredMemory(700, { ...options, train: { ...train, ...options.train } });
    expect(peak).toBeLessThanOrEqual(bytesOf(lines));
    expect(peak).toBeGreaterThan(0.4 * bytesOf(lines));
  });

  test.each<[string, number, string, Measured]>([
    ["rows remembered of GraphSAGE", 700, "remembered", { model: sage, sampling: remembering, train }],
    ["rows remembered of GCN with dropout", 700, "remembered", { model: gcn, sampling: remembering, train }],
    ["two views", 240, "view", { model: sage, task: { type: "deepGraphInfomax", dim: 32 } }],
    ["two views with scores of all pairs", 240, "view", { model: sage, task: { type: "grace", dim: 32 } }],
  ])("%s, which the other lines do not hold", async (_name, numNodes, word, options) => {
    const { peak, lines } = await measuredMemory(numNodes, options);
    expect(peak).toBeLessThanOrEqual(bytesOf(lines));
    expect(peak).toBeGreaterThan(bytesOf(lines.filter(({ what }) => !what.includes(word))));
  });
});
