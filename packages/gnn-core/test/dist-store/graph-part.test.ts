import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DistGraph } from "../../src/dist-store/dist-graph.ts";
import { loadGraphPart } from "../../src/dist-store/graph-part.ts";
import type { ArtifactDir } from "../../src/io/manifest.ts";
import { loadParts } from "../../src/partition/load-parts.ts";
import { inDegrees } from "../../src/sampling/with-degrees.ts";
import { partitionStep } from "../../src/steps/partition.step.ts";
import { tempDir, writeGraphArtifact } from "../support/graph-artifact.ts";
import { runStep } from "../support/run-step.ts";
import { distRanks, onRanks } from "./dist-ranks.ts";

const numNodes = 9;
const edges = Array.from({ length: 30 }, (_, e) => [(e * 4) % numNodes, (e * 7 + (e >> 3)) % numNodes] as const);
let temp: Awaited<ReturnType<typeof tempDir>>;
let input: ArtifactDir;
beforeAll(async () => {
  temp = await tempDir();
  input = await writeGraphArtifact(join(temp.dir, "graph"), {
    numNodes,
    edges,
    labels: Array.from({ length: numNodes }, (_, node) => node % 3),
    split: Array.from({ length: numNodes }, (_, node) => node % 4),
    features: { kind: "dense", rows: Array.from({ length: numNodes }, (_, node) => [node, node / 4]) },
  });
});
afterAll(() => temp.remove());

test.each([
  ["fp32", 3, 3],
  ["fp32", 3, 1],
  ["fp16", 4, 2],
])(
  "%s features in %i parts on %i ranks: nodes, edges and rows are those that the trainer loads",
  async (dtype, numParts, worldSize) => {
    const options = { partition: { type: "random", options: { numParts } }, features: { dtype } };
    const artifact = await runStep(partitionStep, { graph: input }, options);
    const whole = loadParts(artifact);
    const all = Int32Array.from({ length: numNodes }, (_, node) => node);
    const rows = whole.features?.gather(all).values ?? [];
    const degrees = await inDegrees(
      { ...whole.graph, parts: whole.graph.parts.map((part) => ({ ...part, weights: null })) },
      all,
    );
    await onRanks(distRanks(worldSize), async (store) => {
      const graph = await DistGraph.create(store, "g", loadGraphPart(artifact, store.rank));
      expect([graph.numNodes, graph.numEdges]).toEqual([numNodes, edges.length]);
      expect([...(await graph.ndata["labels"]!.get(all))]).toEqual([...whole.labels]);
      expect([...(await graph.ndata["split"]!.get(all))]).toEqual([...whole.split]);
      expect([...(await graph.ndata["features"]!.get(all))]).toEqual([...rows]);
      expect([...(await graph.inDegrees(all))]).toEqual([...degrees]);
      const walks = await graph.randomWalks(all, 1, { seed: 0, epoch: 0 });
      for (const node of all) {
        const from = walks[2 * node]!;
        const to = walks[2 * node + 1]!;
        const part = whole.graph.parts.find((each) => from >= each.firstNode && from < each.firstNode + each.numNodes)!;
        const begin = Number(part.indptr[from - part.firstNode]);
        const end = Number(part.indptr[from - part.firstNode + 1]);
        if (begin < end) expect(part.indices.subarray(begin, end)).toContain(to);
      }
    });
  },
);
