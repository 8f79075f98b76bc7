import { expect, test } from "vitest";
import type { NativeBackend } from "../../src/backends/native/native-backend.ts";
import { backend, memory } from "../../src/backends/tf.ts";
import type { StepEvent } from "../../src/spec/index.ts";
import { communityData } from "./support/community-data.ts";
import { optionsOf, trainRanks } from "./support/train-ranks.ts";

const mebibyte = 2 ** 20;
const warmUp = 100;
const epochs = 500;

test("a run of a thousand steps with an evaluation each second one needs no more memory at its end than after a fifth of it", async () => {
  const seen: { numTensors: number; poolBytes: number; rssBytes: number }[] = [];
  const onEvent = (_rank: number, event: StepEvent) => {
    if (event.type !== "progress") return;
    const { pool } = backend() as NativeBackend;
    seen.push({ numTensors: memory().numTensors, poolBytes: pool.freeBytes, rssBytes: process.memoryUsage.rss() });
  };
  const options = optionsOf({
    model: { type: "sage", options: { hiddenFeats: 64, numLayers: 2, dropout: 0.5 } },
    sampling: { type: "neighbor", options: { fanouts: [4, 3] } },
    train: { epochs, batchSize: 40, optimizer: { type: "adam", options: { lr: 0.001 } } },
  });
  const data = await communityData({ numNodes: 400, numClasses: 4, dim: 32, numTrain: 80 });
  const [run] = await trainRanks(data, options, 1, { onEvent });
  expect(run!.result.steps).toBe(2 * epochs);
  const early = seen.slice(warmUp, 2 * warmUp);
  const late = seen.slice(-warmUp);
  const most = (of: typeof seen, name: keyof (typeof seen)[number]) => Math.max(...of.map((each) => each[name]));
  expect(most(late, "numTensors")).toBe(most(early, "numTensors"));
  expect(most(late, "poolBytes")).toBeLessThan(1.2 * most(early, "poolBytes") + mebibyte);
  // A batch's blocks, rows and tensors are about 1 MiB: kept, they would make 600.
  expect(most(late, "rssBytes") - most(early, "rssBytes")).toBeLessThan(64 * mebibyte);
});
