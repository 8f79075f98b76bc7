import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sharedRowsInMemory } from "../../src/dist/shared-rows.ts";
import { inProcessRowServices } from "../../src/dist-store/in-process-rows.ts";
import { noFeatures } from "../../src/features/no-features.ts";
import type { TrainingData } from "../../src/graph/training-data.ts";
import { embeddingOptions } from "../../src/spec/embedding-options.ts";
import { NodeEmbedding } from "../../src/train/node-embedding.ts";
import { writeNodeEmbedding } from "../../src/train/node-embedding-file.ts";
import { onRanks, storesOf } from "../dist-store/dist-ranks.ts";
import { artifactOf } from "./support/checkpoint-artifact.ts";
import { communityData } from "./support/community-data.ts";
import { optionsOf, seriesOf, trainRanks } from "./support/train-ranks.ts";

const small = { numNodes: 240, numClasses: 3, dim: 4, numTrain: 100, numParts: 2 };
const dim = 6;
const model = { type: "sage", options: { hiddenFeats: 8, numLayers: 1, dropout: 0 } };
const sampling = { type: "neighbor", options: { fanouts: [4] } };
const adam = { type: "adam" as const, options: { lr: 0.02 } };
const sparse = (type: "sparseAdam" | "sparseAdagrad", lr: number) => ({ dim, optimizer: { type, options: { lr } } });

let scratch = "";
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), "hopwise-embedding-"));
});
afterAll(() => rm(scratch, { recursive: true, force: true }));

async function withoutFeatures(): Promise<TrainingData> {
  return { ...(await communityData(small)), features: noFeatures(small.numNodes) };
}

describe("learnable rows of nodes", { timeout: 60_000 }, () => {
  test("a graph without features is learned by them, on two ranks as on one", async () => {
    const data = await withoutFeatures();
    const train = { epochs: 12, batchSize: 40, optimizer: adam };
    const options = optionsOf({ model, sampling, train, features: { embedding: sparse("sparseAdam", 0.05) } });
    const [one] = await trainRanks(data, options, 1);
    const two = await trainRanks(data, options, 2);
    // Three classes: a third is chance. Neighbours are mostly of a node's own class.
    expect(one!.result.metrics["test/accuracy"]).toBeGreaterThan(0.6);
    const losses = seriesOf(two[0]!, "train/loss");
    for (const [epoch, loss] of seriesOf(one!, "train/loss").entries()) expect(losses[epoch]).toBeCloseTo(loss, 5);
    expect(two[0]!.rows).toHaveLength(small.numNodes * dim);
    for (const [i, value] of one!.rows.entries()) expect(two[1]!.rows[i]).toBeCloseTo(value, 4);
  });

  test("one step of Adagrad moves every column of a touched row by the rate, and leaves the bits of all others", async () => {
    const data = await withoutFeatures();
    const run = async (lr: number) => {
      const features = { embedding: sparse("sparseAdagrad", lr) };
      const train = { epochs: 1, batchSize: 12, optimizer: adam };
      // Ten training nodes in one batch; each reads at most four neighbours.
      const few = { ...data, split: data.split.map((code, node) => (code === 1 && node >= 24 ? 0 : code)) };
      return (await trainRanks(few, optionsOf({ model, sampling, train, features }), 1))[0]!.rows;
    };
    const still = await run(1e-30);
    const moved = await run(0.25);
    let touched = 0;
    for (let node = 0; node < small.numNodes; node++) {
      const [before, after] = [still, moved].map((rows) => rows.subarray(node * dim, (node + 1) * dim));
      if (after!.every((value, i) => value === before![i])) continue;
      touched += 1;
      // w − lr·g/√g²: the sign of the gradient, whatever its size.
      for (const [i, value] of after!.entries()) expect(Math.abs(value - before![i]!)).toBeCloseTo(0.25, 5);
    }
    expect(touched).toBeGreaterThanOrEqual(10);
    expect(touched).toBeLessThan(small.numNodes / 2);
  });

  test.each([1, 2])(
    "a run resumed after any epoch has the bits of the undisturbed one, beside features, on two ranks and hosts: %i",
    async (numHosts) => {
      const data = await communityData(small);
      const options = optionsOf({
        model,
        sampling,
        features: { embedding: sparse("sparseAdam", 0.05) },
        train: { epochs: 4, batchSize: 40, optimizer: adam, checkpoint: { keepBest: 2 } },
      });
      const checkpointDir = join(scratch, `hosts-${numHosts}`);
      const [whole, other] = await trainRanks(data, options, 2, { checkpointDir, numHosts });
      expect(other!.rows).toEqual(whole!.rows);
      const checkpoints = whole!.events.filter((event) => event.type === "checkpoint");
      expect(checkpoints).toHaveLength(4);
      // Whatever the number of hosts: with all rows in memory that the ranks share.
      for (const checkpoint of checkpoints.slice(0, 3)) {
        const [resumed] = await trainRanks(data, options, 2, { resume: artifactOf(checkpoint) });
        expect(resumed!.weights).toEqual(whole!.weights);
        expect(resumed!.rows).toEqual(whole!.rows);
        expect(resumed!.result.metrics).toEqual(whole!.result.metrics);
      }
    },
  );

  test("lie with the nodes of parts, and leave no half-written file behind when an owner on another host goes", async () => {
    const services = inProcessRowServices(2);
    const data = await withoutFeatures();
    const offsets = [0, 100, small.numNodes];
    const { features } = data;
    const options = embeddingOptions.parse({ dim });
    const stores = storesOf(services);
    const [first, second] = await onRanks(stores, async (store) => {
      const parts = { options, numNodes: small.numNodes, features, rank: store.rank, seed: 0 };
      const sharedRows = sharedRowsInMemory();
      return (await NodeEmbedding.create({ ...parts, sharedRows, owners: { store, offsets } })).learned;
    });
    // With the nodes of their parts, not in even ranges
    expect([first!.firstNode, second!.firstNode]).toEqual([0, 100]);
    expect([first!.rows.length, second!.rows.length]).toEqual([100 * dim, 140 * dim]);
    const outDir = join(scratch, "cut");
    await mkdir(outDir);
    await services[1]!.close();
    const trained = { nodeEmbedding: first!, data: { ...data, owners: { store: stores[0]!, offsets } } };
    const written = writeNodeEmbedding(outDir, { ...stores[0]!.rank, numHosts: 2 }, trained);
    await expect(written).rejects.toMatchObject({ code: "RANK_LOST" });
    expect(await readdir(outDir)).toEqual([]);
  });

  test.each([
    [{ task: { target: "label", inductive: true } }, /inductive/],
    [
      {
        model: { type: "sage", options: { numLayers: 2, norm: "batch" } },
        sampling: { type: "neighbor", options: { fanouts: [2, 2] } },
      },
      /layer/,
    ],
    [{ sampling: { type: "controlVariate", options: {} } }, /controlVariate/],
  ])("refuses what they cannot stand beside: %j", async (wrong, message) => {
    const options = { ...optionsOf({ model, sampling, features: { embedding: { dim } } }), ...wrong };
    const run = trainRanks(await withoutFeatures(), optionsOf(options), 1);
    await expect(run).rejects.toMatchObject({
      code: "SPEC_INVALID",
      place: { pointer: "/features/embedding" },
      message: expect.stringMatching(message),
    });
  });
});
