import { beforeAll, expect, test } from "vitest";
import { selectBackend } from "../../src/backends/select-backend.ts";
import { tidy } from "../../src/backends/tf.ts";
import { DenseFeatureStore } from "../../src/features/dense-feature-store.ts";
import type { Block } from "../../src/graph/block.ts";
import { graphFromEdges } from "../../src/graph/graph-from-edges.ts";
import { weightedSpmm } from "../../src/ops/weighted-spmm.ts";
import { edgeBlock } from "../../src/sampling/edge-block.ts";
import { fullBlock } from "../../src/sampling/full-block.ts";
import { randomFloats } from "../support/seeded-random.ts";

// Node 4 has no in-edge, node 2 one from itself, and node 0 sends to all the others.
const src = [1, 3, 0, 0, 2, 5, 0, 1, 0, 4];
const dst = [0, 0, 1, 2, 2, 3, 3, 5, 5, 5];
const graph = graphFromEdges({ numNodes: 6, src: Int32Array.from(src), dst: Int32Array.from(dst) });

beforeAll(() => selectBackend("native"));

test("a block with a src row per edge gives sums with the bits of the block with a row per node", async () => {
  const features = new DenseFeatureStore(33, [randomFloats(6 * 33, 3)]);
  const sums = async (block: Block) => {
    const rows = await features.gatherAsync(block.srcIds);
    const selfWeights = randomFloats(block.numDst, 5);
    const edgeWeights = randomFloats(block.indices.length, 4);
    return tidy(() =>
      weightedSpmm(block, rows as never, { edgeWeights, selfWeights })
        .dataSync<"float32">()
        .slice(),
    );
  };
  for (const [first, count] of [
    [0, 6],
    [2, 3],
    [4, 1],
    [3, 0],
  ] as const) {
    const whole = await fullBlock(await graph, first, count);
    const byEdge = await edgeBlock(await graph, first, count);
    expect(byEdge.numSrc).toBe(count + whole.indices.length);
    expect(await sums(byEdge)).toEqual(await sums(whole));
  }
});

test("nodes outside the graph are refused", async () => {
  await expect(edgeBlock(await graph, 4, 3)).rejects.toMatchObject({ code: "SHAPE_MISMATCH" });
});
