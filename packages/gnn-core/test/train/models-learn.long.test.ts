import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ArtifactDir } from "../../src/io/manifest.ts";
import { communityData } from "./support/community-data.ts";
import { optionsOf, seriesOf, trainRanks } from "./support/train-ranks.ts";

let scratch = "";
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), "hopwise-models-"));
});
afterAll(() => rm(scratch, { recursive: true, force: true }));

const small = { numNodes: 400, numClasses: 4, dim: 8, numTrain: 80, numParts: 2 };
const optimizer = { type: "adam" as const, options: { lr: 0.01 } };
const models = [
  ["gin", { norm: "layer" }],
  ["gin", { norm: "batch", learnEpsilon: false }],
  ["appnp", { numHops: 3, edgeDropout: 0.3 }],
  ["sage", { aggregator: "concat", l2Normalize: true }],
  ["sage", { aggregator: "gcn", norm: "layer" }],
  ["sage", { aggregator: "pool", norm: "batch", residual: true }],
  ["gat", { merge: "mean", residual: true }],
  ["gcn", { norm: "batch", residual: true, numLayers: 3 }],
] as const;

test.each(models)(
  "%s %o learns the communities of a graph from sampled blocks, on two ranks as on one",
  async (type, chosen) => {
    const data = await communityData(small);
    const numHops = "numHops" in chosen ? chosen.numHops : "numLayers" in chosen ? chosen.numLayers : 2;
    const options = optionsOf({
      model: { type, options: { hiddenFeats: 16, dropout: 0.2, ...chosen } },
      sampling: { type: "neighbor", options: { fanouts: Array.from({ length: numHops }, () => 4) } },
      train: { epochs: 30, batchSize: 40, optimizer },
    });
    const [one] = await trainRanks(data, options, 1);
    expect(one!.result.metrics["test/accuracy"]).toBeGreaterThan(0.8);
    const [first, second] = await trainRanks(data, { ...options, train: { ...options.train, epochs: 4 } }, 2);
    expect(second!.weights).toEqual(first!.weights); // the same bits on every rank
    for (const name of ["train/loss", "val/loss"]) {
      const expected = seriesOf(one!, name);
      for (const [epoch, loss] of seriesOf(first!, name).entries()) {
        expect(Math.abs(loss / expected[epoch]! - 1)).toBeLessThan(1e-4);
      }
    }
  },
);

test("a run with batch normalisation resumes to the bits of one that never stopped", async () => {
  const data = await communityData(small);
  const options = optionsOf({
    model: { type: "sage", options: { hiddenFeats: 8, norm: "batch" } },
    sampling: { type: "neighbor", options: { fanouts: [4, 3] } },
    train: { epochs: 4, batchSize: 40, optimizer, checkpoint: { everyEpochs: 2 } },
  });
  const [whole] = await trainRanks(data, options, 1, { checkpointDir: scratch });
  const event = whole!.events.find((each) => each.type === "checkpoint");
  if (event?.type !== "checkpoint") throw new Error("no checkpoint");
  const resume = { dir: event.dir, manifest: { info: event.info } } as unknown as ArtifactDir;
  const [rest] = await trainRanks(data, options, 1, { resume });
  expect(rest!.weights).toEqual(whole!.weights);
  expect(seriesOf(rest!, "val/loss")).toEqual(seriesOf(whole!, "val/loss").slice(2));
});

test("batch normalisation cuts an epoch into equal batches, where 79 and a rest of one would learn from one row's statistics", async () => {
  const data = await communityData(small);
  const run = async (batchSize: number) => {
    const options = optionsOf({
      model: { type: "gcn", options: { hiddenFeats: 8, norm: "batch" } },
      sampling: { type: "full" },
      train: { epochs: 10, batchSize, optimizer },
    });
    const [only] = await trainRanks(data, options, 1);
    return only!;
  };
  const [uneven, even] = [await run(79), await run(40)]; // 80 training nodes
  expect(uneven.result.steps).toBe(20);
  expect(uneven.weights).toEqual(even.weights);
});
