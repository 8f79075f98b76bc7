import { expect, test } from "vitest";
import { graphFromEdges } from "../../src/graph/graph-from-edges.ts";
import { createBlockSampler } from "../../src/sampling/block-sampler.ts";
import { epochSeeds } from "../../src/sampling/seed-split.ts";
import { accessProfile } from "../../src/train/hot-rows.ts";

const numNodes = 200;
const own = { first: 50, count: 60 };
const src = Array.from({ length: 1200 }, (_, e) => (e * e * 7 + e) % numNodes);
const dst = Array.from({ length: 1200 }, (_, e) => (e * 13) % numNodes);
const graph = await graphFromEdges({ src, dst, numNodes });
const sampler = createBlockSampler({ graph, fanouts: [3, 2], replace: false, seed: 5 });
const trainNodes = Int32Array.from({ length: 30 }, (_, i) => own.first + i);
// Three steps an epoch.
const seedsOf = (epoch: number) => epochSeeds(trainNodes, { seed: 5, epoch, batchSize: 10, rank: 0, worldSize: 1 });

/** Reads of other ranks' rows in the first batches of a training. */
async function readsOf(numBatches: number): Promise<Map<number, number>> {
  const reads = new Map<number, number>();
  for (let i = 0; i < numBatches; i++) {
    const epoch = 1 + Math.floor(i / 3);
    const step = i % 3;
    const [block] = await sampler.sample(seedsOf(epoch)[step]!, { epoch, step });
    for (const node of block!.srcIds) {
      const isOwn = node >= own.first && node < own.first + own.count;
      if (!isOwn) reads.set(node, (reads.get(node) ?? 0) + 1);
    }
  }
  return reads;
}

test.each([
  [1, 3],
  [5, 15],
  [1000, 64],
])("an access profile of %i epochs of three steps has the remote rows of the first %i batches", async (epochs, n) => {
  const expected = await readsOf(n);
  const { remote, reads } = await accessProfile({ sampler, epochs, seedsOf }, own, numNodes);
  expect(new Map([...remote].map((node, i) => [node, reads[i]]))).toEqual(expected);
  for (let i = 1; i < remote.length; i++) {
    const before = reads[i - 1]!;
    const after = reads[i]!;
    expect(before > after || (before === after && remote[i - 1]! < remote[i]!)).toBe(true);
  }
});

test("without training nodes nothing is read and the profile is empty", async () => {
  const { remote } = await accessProfile({ sampler, epochs: 2 ** 40, seedsOf: () => [] }, own, numNodes);
  expect(remote).toHaveLength(0);
});
