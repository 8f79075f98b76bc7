import { beforeAll, expect, test } from "vitest";
import { loadAddon } from "../../src/backends/native/addon.ts";
import { selectBackend } from "../../src/backends/select-backend.ts";
import type { CscGraph } from "../../src/graph/csc-graph.ts";
import { inducedSubgraph } from "../../src/graph/induced-subgraph.ts";
import { messageGraph } from "../../src/graph/message-graph.ts";
import { nativeGraph } from "../../src/graph/native-graph.ts";
import { edgeBlock } from "../../src/sampling/edge-block.ts";
import { fullBlock } from "../../src/sampling/full-block.ts";

// The arrays of a graph lie in files that another worker may have written, or a disk damaged.
beforeAll(() => selectBackend("native"));

const far = 4_000_000_000;
const all = Int32Array.of(0, 1, 2);

const readers: readonly (readonly [string, (graph: CscGraph) => Promise<unknown>])[] = [
  ["a full block", (graph) => fullBlock(graph, 0, 3)],
  ["an edge block", (graph) => edgeBlock(graph, 0, 3)],
  ["an induced subgraph", (graph) => inducedSubgraph(graph, all)],
  ["the reverse of the graph", (graph) => messageGraph(graph, "out")],
  ["the distribution of FastGCN", (graph) => loadAddon().fastgcnDistribution(nativeGraph(graph))],
  ["the sums of in-degrees", async (graph) => loadAddon().inDegrees(nativeGraph(graph), all)],
];

function graphOf(offsets: readonly number[], sources: readonly number[]): CscGraph {
  const part = {
    firstNode: 0,
    numNodes: 3,
    indptr: BigInt64Array.from(offsets, BigInt),
    indices: Int32Array.from(sources),
    weights: null,
  };
  return { device: "cpu", numNodes: 3, numEdges: sources.length, parts: [part] };
}

test.each(readers)("%s of a graph whose offsets lead elsewhere is refused", async (_, read) => {
  for (const offsets of [
    [0, far, 1, 3],
    [0, 2, -far, 3],
    [0, 2, 1, 3],
  ]) {
    await expect(read(graphOf(offsets, [0, 1, 2]))).rejects.toMatchObject({ code: "SHAPE_MISMATCH" });
  }
});

// An edge block names sources without a look at them: rows are fetched by what checks its ids.
const following = readers.filter(([name]) => !/edge block|in-degrees/.test(name));
test.each(following)("%s of a graph with an edge from no node is refused", async (_, read) => {
  for (const source of [3, -1, 2 ** 31 - 1, -(2 ** 31)]) {
    await expect(read(graphOf([0, 1, 2, 3], [0, source, 2]))).rejects.toMatchObject({ code: "SHAPE_MISMATCH" });
  }
});

test("weights that are not finite make no distribution", async () => {
  const graph = graphOf([0, 1, 2, 3], [0, 1, 2]);
  const weights = Float32Array.of(1, Number.NaN, 1);
  const damaged: CscGraph = { ...graph, parts: [{ ...graph.parts[0]!, weights }] };
  await expect(loadAddon().fastgcnDistribution(nativeGraph(damaged))).rejects.toMatchObject({
    code: "DATASET_VALUE_INVALID",
  });
});
