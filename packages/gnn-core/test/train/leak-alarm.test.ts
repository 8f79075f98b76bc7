import { expect, test } from "vitest";
import { z } from "zod";
import { engine, memory, tensor1d } from "../../src/backends/tf.ts";
import type { Layer } from "../../src/nn/model.ts";
import { defineModel, loadRegistry, type StepEvent } from "../../src/spec/index.ts";
import { LeakAlarm } from "../../src/train/leak-alarm.ts";
import { Trainer } from "../../src/train/trainer.ts";
import { communityData } from "./support/community-data.ts";

test("the third epoch in a row that leaves tensors behind rings once, with their number", () => {
  const alarm = new LeakAlarm();
  const counts = [40, 52, 52, 54, 56, 58, 60]; // the optimizer's moments after the first
  expect(counts.map((count) => alarm.afterEpoch(count))).toEqual([null, null, null, null, null, 2, null]);
});

/** Two layers; the last may keep one tensor of each training step. */
const forgetful = (isForgetful: boolean) =>
  defineModel({
    name: "forgetful",
    version: 1,
    title: "Forgetful",
    summary: "Keeps a tensor of each step.",
    reference: "none",
    options: z.strictObject({}),
    numHops: () => 1,
    aggregation: () => null,
    numParameters: (_options, { inDim, outDim }) => 2 * inDim * outDim + outDim,
    create: (_options, shape, nn) => {
      const conv = nn.sageConv({ index: 0, ...shape, activation: "none", dropout: 0 });
      const layer: Layer & typeof conv = {
        ...conv,
        forward: (block, x, context) => {
          if (isForgetful && context.training) engine().keep(tensor1d([1]));
          return conv.forward(block, x, context);
        },
      };
      return nn.sequential([layer], { usesNeighbors: true });
    },
  });

test.each([true, false])("a model that keeps a tensor of each step (%s) is told of in the log", async (isForgetful) => {
  const registry = await loadRegistry();
  registry.add(forgetful(isForgetful));
  const trainer = await Trainer.create({
    data: await communityData({ numNodes: 60, numClasses: 3, dim: 4, numTrain: 20 }),
    registry,
    options: {
      model: { type: "forgetful" },
      sampling: { type: "neighbor", options: { fanouts: [3] } },
      train: { epochs: 6, batchSize: 10 },
    },
  });
  const before = memory().numTensors;
  const warnings: StepEvent[] = [];
  await trainer.fit({ onEvent: (event) => event.type === "log" && event.level === "warn" && warnings.push(event) });
  expect(warnings).toMatchObject(isForgetful ? [{ fields: { tensorsPerEpoch: 2 } }] : []);
  expect(memory().numTensors - before).toBeGreaterThanOrEqual(isForgetful ? 12 : 0);
  trainer.dispose();
});
