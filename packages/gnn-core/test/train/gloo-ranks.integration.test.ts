import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { communityData } from "./support/community-data.ts";
import { trainGlooRanks } from "./support/gloo-ranks.ts";
import { optionsOf, seriesOf, trainRanks } from "./support/train-ranks.ts";

const data = { numNodes: 400, numClasses: 4, dim: 8, numTrain: 80, numParts: 2 };
const model = { type: "sage", options: { hiddenFeats: 16, numLayers: 2, dropout: 0 } };
const sampling = { type: "neighbor", options: { fanouts: [4, 3] } };

let scratch = "";
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), "hopwise-gloo-"));
});
afterAll(() => rm(scratch, { recursive: true, force: true }));

test("two processes joined by Gloo give one rank's loss curve at the same global batch", async () => {
  // 80 training nodes in batches of 80: one step an epoch, 20 steps.
  const options = optionsOf({ model, sampling, train: { epochs: 20, batchSize: 80 } });
  const [one] = await trainRanks(await communityData(data), options, 1);
  const [first, second] = await trainGlooRanks({ worldSize: 2, data, options, scratchDir: scratch });
  expect([first!.code, second!.code]).toEqual([null, null]);
  const pairs = [
    [first!.losses, seriesOf(one!, "train/loss")],
    [first!.valLosses, seriesOf(one!, "val/loss")],
  ] as const;
  for (const [found, expected] of pairs) {
    expect(found).toHaveLength(20);
    for (const [step, loss] of found.entries()) expect(Math.abs(loss / expected[step]! - 1)).toBeLessThan(1e-5);
  }
  expect(second!.weights).toEqual(first!.weights);
});

test("cancelling one process ends the other at the same step, with the same weights", async () => {
  const options = optionsOf({ model, sampling, train: { epochs: 100_000, batchSize: 16 } });
  const cancel = { rank: 0, afterEpoch: 3 };
  const results = await trainGlooRanks({ worldSize: 2, data, options, scratchDir: scratch, cancel });
  expect(results.map(({ code }) => code)).toEqual(["CANCELLED", "CANCELLED"]);
  expect(results[1]!.weights).toEqual(results[0]!.weights);
});
