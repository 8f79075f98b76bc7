import { expect, test } from "vitest";
import type { Block } from "../../src/graph/block.ts";
import { releaseBlocks } from "../../src/graph/release-blocks.ts";
import { graphFromEdges } from "../../src/index.ts";
import { createBlockSampler } from "../../src/sampling/block-sampler.ts";

const lengthsOf = ({ indptr, indices, srcIds }: Block) => [indptr, indices, srcIds].map((array) => array.length);

async function sampled(seeds: Int32Array): Promise<readonly Block[]> {
  const graph = await graphFromEdges({ src: [0, 1, 2, 3, 4, 0], dst: [1, 2, 3, 4, 0, 2], numNodes: 5 });
  const sampler = createBlockSampler({ graph, fanouts: [2, 2], replace: false, seed: 1 });
  return sampler.sample(seeds, { epoch: 0, step: 0 });
}

test("blocks that are released hold nothing any more, edges by src that were read included", async () => {
  const seeds = Int32Array.of(2, 3);
  const [first, last] = (await sampled(seeds)) as [Block, Block];
  const reversed = last.reverse.indices;
  expect(reversed.length).toBe(last.indices.length);
  releaseBlocks([first, last], seeds);
  expect([first, last].map(lengthsOf)).toEqual([
    [0, 0, 0],
    [0, 0, 0],
  ]);
  expect(reversed.length).toBe(0);
  expect([...seeds]).toEqual([2, 3]);
});

test("the seeds stay when a block's rows are the seeds themselves, or part of their array", async () => {
  const order = Int32Array.of(0, 1, 2, 3, 4);
  const seeds = order.subarray(1, 3);
  const [block] = (await sampled(seeds)) as [Block];
  releaseBlocks(
    [
      { ...block, srcIds: seeds },
      { ...block, srcIds: order.subarray(0, 2), indptr: order },
    ],
    seeds,
  );
  expect([...order]).toEqual([0, 1, 2, 3, 4]);
  expect(block.indices.length).toBe(0);
});

test("blocks that share arrays, or were released before, are no error", async () => {
  const seeds = Int32Array.of(1);
  const [block] = (await sampled(seeds)) as [Block];
  releaseBlocks([block, block], seeds);
  releaseBlocks([block], seeds);
  expect(lengthsOf(block)).toEqual([0, 0, 0]);
});
