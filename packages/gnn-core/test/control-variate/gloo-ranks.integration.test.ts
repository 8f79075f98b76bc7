import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { communityData } from "../train/support/community-data.ts";
import { trainGlooRanks } from "../train/support/gloo-ranks.ts";
import { optionsOf, seriesOf, trainRanks } from "../train/support/train-ranks.ts";

const data = { numNodes: 400, numClasses: 4, dim: 8, numTrain: 80, numParts: 2 };

test.each([
  { type: "controlVariate", options: { numNeighbors: 1 } },
  { type: "clusterGcn", options: { numClusters: 8, clustersPerBatch: 4 } },
])("two processes that share their rows as files train with $type like one", async (sampling) => {
  const scratchDir = await mkdtemp(join(tmpdir(), "hopwise-cv-gloo-"));
  const model = { type: "gcn", options: { hiddenFeats: 16, numLayers: 3, dropout: 0 } };
  const options = optionsOf({ model, sampling, train: { epochs: 8, batchSize: 40 } });
  try {
    const [one] = await trainRanks(await communityData(data), options, 1);
    const [first, second] = await trainGlooRanks({ worldSize: 2, data, options, scratchDir });
    expect([first!.code, second!.code]).toEqual([null, null]);
    const expected = seriesOf(one!, "train/loss");
    expect(first!.losses).toHaveLength(8);
    for (const [epoch, loss] of first!.losses.entries())
      expect(Math.abs(loss / expected[epoch]! - 1)).toBeLessThan(1e-5);
    expect(second!.weights).toEqual(first!.weights);
  } finally {
    await rm(scratchDir, { recursive: true, force: true });
  }
});
