import { beforeAll, describe, expect, test } from "vitest";
import { loadAddon } from "../../src/backends/native/addon.ts";
import { selectBackend } from "../../src/backends/select-backend.ts";
import type { Tensor2D } from "../../src/backends/tf.ts";
import { loopbackGroup } from "../../src/dist/loopback.ts";
import { sharedRowsInMemory } from "../../src/dist/shared-rows.ts";
import { DenseFeatureStore } from "../../src/features/dense-feature-store.ts";
import type { CscGraph } from "../../src/graph/csc-graph.ts";
import { graphFromEdges } from "../../src/graph/graph-from-edges.ts";
import { nativeGraph } from "../../src/graph/native-graph.ts";
import { inferNodes } from "../../src/infer/infer-nodes.ts";
import { visitOrder } from "../../src/infer/visit-order.ts";
import { fullBlock } from "../../src/sampling/full-block.ts";
import { loadRegistry } from "../../src/spec/index.ts";
import { buildModel } from "../../src/train/build-components.ts";

const numNodes = 4_200;
const numClusters = 100;
const degree = 10;
const dim = 256;

function randomStream(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const clusterOf = (node: number) => node % numClusters;

/** Each node has `degree` in-neighbours, this share of them of its own cluster. */
function graphWith(ownShare: number): Promise<CscGraph> {
  const random = randomStream(3);
  const dst = Int32Array.from({ length: numNodes * degree }, (_, edge) => Math.floor(edge / degree));
  const src = dst.map((node) => {
    if (random() >= ownShare) return Math.floor(random() * numNodes);
    return clusterOf(node) + numClusters * Math.floor((random() * numNodes) / numClusters);
  });
  return graphFromEdges({ src, dst, numNodes, duplicates: "keep" });
}

let clustered: CscGraph;
beforeAll(async () => {
  await selectBackend("native");
  clustered = await graphWith(0.9);
});

/** How often a node follows one of its own cluster. */
function shareTogether(nodes: Int32Array): number {
  return (
    nodes.reduce((sum, node, i) => sum + Number(clusterOf(node) === clusterOf(nodes[i - 1] ?? -1)), 0) / nodes.length
  );
}

const ascending = (first: number, count: number) => Int32Array.from({ length: count }, (_, i) => first + i);

describe("the order of nodes", () => {
  test.each([
    [0, numNodes],
    [1_050, 2_100],
  ])("from node %i on, %i of them, has each once and clusters together", async (first, count) => {
    const nodes = (await visitOrder(clustered, { first, count }, dim))!;
    expect(nodes.toSorted()).toEqual(ascending(first, count));
    expect(shareTogether(nodes)).toBeGreaterThan(0.7);
  });

  test("is the ascending one where there are no clusters", async () => {
    const random = await graphWith(0);
    expect(await visitOrder(random, { first: 0, count: numNodes }, dim)).toEqual(ascending(0, numNodes));
  });

  test("is not looked for where the rows fit a cache", async () => {
    expect(await visitOrder(clustered, { first: 0, count: numNodes }, 16)).toBeNull();
  });

  test("refuses nodes outside the graph", async () => {
    const order = loadAddon().clusterOrder(nativeGraph(clustered), numNodes - 1, 2, 64);
    await expect(order).rejects.toMatchObject({ code: "SHAPE_MISMATCH" });
  });
});

describe("inference in that order", () => {
  const random = randomStream(5);
  const features = new DenseFeatureStore(dim, [Float32Array.from({ length: numNodes * dim }, () => random() - 0.5)]);

  async function infer(worldSize: number, threads: number) {
    const { model } = buildModel(
      { type: "sage", options: { hiddenFeats: 8, numLayers: 2 } },
      { inDim: dim, outDim: 3, seed: 11 },
      await loadRegistry(),
    );
    loadAddon().setThreads(threads);
    const rows = sharedRowsInMemory();
    const [found] = await Promise.all(
      loopbackGroup(worldSize).map((collective, rank) => {
        const context = { rank, worldSize, localRank: rank, device: "cpu", threads, collective } as const;
        const parts = { model, graph: clustered, features, rank: context, signal: new AbortController().signal };
        return inferNodes({ ...parts, chunkSize: 1_024 }, (name, width) => rows(name, numNodes * width));
      }),
    );
    loadAddon().setThreads(1);
    return { model, ...found! };
  }

  test("gives every node the rows of the block of all nodes", async () => {
    const { model, embeddings, logits } = await infer(1, 1);
    const block = await fullBlock(clustered, 0, numNodes);
    const context = { training: false, seed: 0, epoch: 0, step: 0 };
    const hidden: Tensor2D = model.layers[0]!.forward(block, features.gather(block.srcIds), context);
    const last: Tensor2D = model.layers[1]!.forward(block, hidden, context);
    for (const [found, expected] of [
      [embeddings, hidden.dataSync<"float32">()],
      [logits, last.dataSync<"float32">()],
    ] as const) {
      const worst = expected.reduce((max, value, i) => Math.max(max, Math.abs(value - found[i]!)), 0);
      expect(worst).toBeLessThan(1e-5);
    }
    for (const tensor of [hidden, last]) tensor.dispose();
    model.dispose();
  });

  test("gives the same bits with two threads", async () => {
    const one = await infer(1, 1);
    const two = await infer(1, 2);
    expect(two.embeddings).toEqual(one.embeddings);
    expect(two.logits).toEqual(one.logits);
    for (const { model } of [one, two]) model.dispose();
  });
});
