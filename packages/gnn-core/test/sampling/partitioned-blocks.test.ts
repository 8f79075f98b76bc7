import fc from "fast-check";
import { expect, test } from "vitest";
import { inProcessRowServices } from "../../src/dist-store/in-process-rows.ts";
import { GnnError } from "../../src/errors/gnn-error.ts";
import type { CscGraph, DrawnLists, ListDraw } from "../../src/graph/csc-graph.ts";
import { graphFromEdges } from "../../src/graph/graph-from-edges.ts";
import { createBlockSampler } from "../../src/sampling/block-sampler.ts";
import { fullBlock } from "../../src/sampling/full-block.ts";
import { inDegrees } from "../../src/sampling/with-degrees.ts";

const numNodes = 30;
const edges = fc.array(fc.tuple(fc.nat(numNodes - 1), fc.nat(numNodes - 1)), { maxLength: 200 });

/** The graph as each of several ranks sees it, which holds the columns of its range alone. */
async function cutIn(graph: CscGraph, offsets: readonly number[], src: readonly number[], dst: readonly number[]) {
  const services = inProcessRowServices(offsets.length - 1);
  const asked: { rank: number; nodes: number[] }[] = [];
  const graphs: CscGraph[] = [];
  for (const [rank, service] of services.entries()) {
    const first = offsets[rank] as number;
    const end = offsets[rank + 1] as number;
    const rows = [...dst.keys()].filter((e) => (dst[e] as number) >= first && (dst[e] as number) < end);
    const part = await graphFromEdges({
      src: rows.map((e) => src[e] as number),
      dst: rows.map((e) => (dst[e] as number) - first),
      numNodes,
      weights: Float32Array.from(rows, (e) => (src[e] as number) + 1),
      duplicates: "drop",
    });
    const { indptr, indices, weights } = part.parts[0]!;
    const own = { firstNode: first, numNodes: end - first, indptr: indptr.slice(0, end - first + 1), indices, weights };
    service.hostLists("in", offsets, [own]);
    graphs.push({
      device: "cpu",
      numNodes,
      numEdges: graph.numEdges,
      parts: [own],
      remote: {
        own: { first, count: end - first },
        drawInEdges: (nodes: Int32Array, draw: ListDraw): Promise<DrawnLists> => {
          asked.push({ rank, nodes: [...nodes] });
          return service.draw("in", nodes, draw);
        },
        inDegrees: async (nodes: Int32Array) => inDegrees(graph, nodes),
        rows: () => Promise.reject(new Error("Nothing is computed here.")),
      },
    });
  }
  return { graphs, asked };
}

test("blocks drawn on ranks that hold parts have the bits of blocks drawn from the whole graph", async () => {
  const cases = fc.record({
    pairs: edges,
    cut: fc.tuple(fc.nat(numNodes), fc.nat(numNodes)),
    seeds: fc.array(fc.nat(numNodes - 1), { maxLength: 12 }),
    fanouts: fc.array(fc.integer({ min: -1, max: 4 }), { minLength: 1, maxLength: 3 }),
    replace: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(cases, async ({ pairs, cut, seeds, fanouts, replace }) => {
      const src = pairs.map(([s]) => s);
      const dst = pairs.map(([, d]) => d);
      const weights = Float32Array.from(src, (s) => s + 1);
      const graph = await graphFromEdges({ src, dst, numNodes, weights, duplicates: "drop" });
      const offsets = [0, ...cut.toSorted((a, b) => a - b), numNodes];
      const { graphs, asked } = await cutIn(graph, offsets, src, dst);
      const draw = (of: CscGraph) =>
        createBlockSampler({ graph: of, fanouts, replace, seed: 3 }).sample(Int32Array.from(seeds), {
          epoch: 2,
          step: 7,
        });
      const whole = await draw(graph);
      for (const part of graphs) expect(await draw(part)).toEqual(whole);
      // One request for each hop at most, and never for a node that is here.
      for (const { rank, nodes } of asked) {
        const { first, count } = graphs[rank]!.remote!.own;
        for (const node of nodes) expect(node < first || node >= first + count).toBe(true);
      }
      for (const rank of graphs.keys()) {
        expect(asked.filter((each) => each.rank === rank).length).toBeLessThanOrEqual(fanouts.length);
      }
    }),
    { numRuns: 40 },
  );
});

test("kernels look at the nodes that are here, and refuse others by saying where they are", async () => {
  const src = [1, 2, 29];
  const dst = [0, 0, 20];
  const graph = await graphFromEdges({ src, dst, numNodes, weights: Float32Array.of(2, 3, 30) });
  const { graphs } = await cutIn(graph, [0, 10, numNodes], src, dst);
  expect(await fullBlock(graphs[1]!, 10, 20)).toEqual(await fullBlock(graph, 10, 20));
  const refused = fullBlock(graphs[1]!, 9, 2);
  await expect(refused).rejects.toThrow(GnnError);
  await expect(refused).rejects.toThrow(/node 9 lie with another rank; here are those of \[10, 30\)/);
  await expect(fullBlock(graphs[0]!, 10, 1)).rejects.toMatchObject({ code: "SHAPE_MISMATCH" });
});
