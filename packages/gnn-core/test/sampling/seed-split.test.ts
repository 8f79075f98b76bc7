import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  epochOrder,
  epochSeeds,
  evenBatchSize,
  globalBatches,
  rankSeeds,
  stepsPerEpoch,
} from "../../src/sampling/seed-split.ts";

const ids = fc
  .uniqueArray(fc.integer({ min: 0, max: 2 ** 31 - 2 }), { maxLength: 300 })
  .map((list) => Int32Array.from(list));

describe("splitting seeds", () => {
  test("4,097 seeds in batches of 1,024 are 5 steps on each of 4 ranks, the last with one seed in all", () => {
    const trainIds = Int32Array.from({ length: 4097 }, (_, i) => i * 3);
    const perRank = [0, 1, 2, 3].map((rank) =>
      epochSeeds(trainIds, { seed: 0, epoch: 2, batchSize: 1024, rank, worldSize: 4 }),
    );
    expect(perRank.map((steps) => steps.length)).toEqual([5, 5, 5, 5]);
    expect(perRank.map((steps) => steps.map((seeds) => seeds.length))).toEqual([
      [256, 256, 256, 256, 0],
      [256, 256, 256, 256, 0],
      [256, 256, 256, 256, 0],
      [256, 256, 256, 256, 1],
    ]);
    const all = perRank.flat().flatMap((seeds) => [...seeds]);
    expect(all.toSorted((a, b) => a - b)).toEqual([...trainIds]);
  });

  test("equal batches are as many as asked for and differ by less than one seed a step", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 5000 }), fc.integer({ min: 1, max: 1500 }), (numTrain, batchSize) => {
        const even = globalBatches(new Int32Array(numTrain), evenBatchSize(numTrain, batchSize));
        expect(even).toHaveLength(stepsPerEpoch(numTrain, batchSize));
        const sizes = even.map((batch) => batch.length);
        expect(Math.max(0, ...sizes)).toBeLessThanOrEqual(batchSize);
        if (sizes.length > 0) expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThan(sizes.length);
      }),
    );
    expect(evenBatchSize(1025, 1024)).toBe(513);
  });

  test("ranks together have each seed of a batch once, in ascending slices that differ by at most one", () => {
    fc.assert(
      fc.property(ids, fc.integer({ min: 1, max: 9 }), (batch, worldSize) => {
        const slices = Array.from({ length: worldSize }, (_, rank) => rankSeeds(batch, rank, worldSize));
        expect(slices.flatMap((slice) => [...slice])).toEqual([...batch].toSorted((a, b) => a - b));
        const sizes = slices.map((slice) => slice.length);
        expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
      }),
    );
  });

  test("the order of an epoch is a permutation that depends on seed, epoch and the ids, not on their order", () => {
    fc.assert(
      fc.property(ids, fc.nat(), fc.nat(1000), (trainIds, seed, epoch) => {
        const order = epochOrder(trainIds, seed, epoch);
        expect([...order].toSorted((a, b) => a - b)).toEqual([...trainIds].toSorted((a, b) => a - b));
        expect([...epochOrder(trainIds.toReversed(), seed, epoch)]).toEqual([...order]);
      }),
    );
  });

  test("two epochs, and two seeds, go through the nodes in different orders", () => {
    const trainIds = Int32Array.from({ length: 100 }, (_, i) => i);
    const orders = [epochOrder(trainIds, 0, 0), epochOrder(trainIds, 0, 1), epochOrder(trainIds, 1, 0)].map(String);
    expect(new Set(orders).size).toBe(3);
  });

  test("a place in the epoch is as likely for every node", () => {
    const trainIds = Int32Array.from({ length: 20 }, (_, i) => i);
    const first = new Float64Array(20);
    for (let epoch = 0; epoch < 4000; epoch++) first[epochOrder(trainIds, 5, epoch)[0]!]! += 1;
    // 4000 / 20 = 200 each; 99.9 % point of χ² with 19 degrees of freedom: 43.82
    expect(first.reduce((sum, count) => sum + (count - 200) ** 2 / 200, 0)).toBeLessThan(43.82);
  });

  test("no training nodes are no steps, and a batch larger than all is one", () => {
    expect(globalBatches(new Int32Array(0), 10)).toEqual([]);
    expect(stepsPerEpoch(3, 10)).toBe(1);
    expect(globalBatches(Int32Array.of(1, 2, 3), 10)).toEqual([Int32Array.of(1, 2, 3)]);
  });
});
