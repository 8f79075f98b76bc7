import fc from "fast-check";
import { expect, test } from "vitest";
import { inProcessRowServices } from "../../src/dist-store/in-process-rows.ts";
import type { CscGraph, CscPart, ListDraw } from "../../src/graph/csc-graph.ts";
import { graphFromRelations } from "../../src/graph/graph-from-relations.ts";
import { createRelationSampler } from "../../src/sampling/relation-blocks.ts";
import { inDegrees } from "../../src/sampling/with-degrees.ts";
import { seededRandom } from "../support/seeded-random.ts";

const numNodes = 40;
const names = ["cites", "likes", "writes"] as const;
const random = seededRandom(11);
const pick = () => Math.floor(random() * numNodes);
const graph = await graphFromRelations({
  numNodes,
  relations: Object.fromEntries(
    names.map((name, r) => {
      const draw = () => Int32Array.from({ length: 90 * (r + 1) }, pick);
      return [name, { src: draw(), dst: draw() }];
    }),
  ),
});

/** In-edges of the nodes [first, end) */
function partOf({ parts: [whole] }: CscGraph, first: number, end: number): CscPart {
  const { indptr, indices, types } = whole!;
  const [begin, last] = [Number(indptr[first]), Number(indptr[end])];
  return {
    firstNode: first,
    numNodes: end - first,
    indptr: indptr.slice(first, end + 1).map((offset) => offset - BigInt(begin)),
    indices: indices.slice(begin, last),
    weights: null,
    types: types!.slice(begin, last),
  };
}

/** The graph as each rank sees it, and how often a rank asks the others. */
function cutIn(offsets: readonly number[]) {
  const asked: { readonly hop: number; readonly relation: number | undefined }[] = [];
  const services = inProcessRowServices(offsets.length - 1);
  const graphs = services.map((service, rank): CscGraph => {
    const [first, end] = [offsets[rank]!, offsets[rank + 1]!];
    const own = partOf(graph, first, end);
    service.hostLists("in", offsets, [own]);
    const drawInEdges = async (nodes: Int32Array, draw: ListDraw) => {
      asked.push({ hop: draw.hop, relation: draw.relation });
      const drawn = await service.draw("in", nodes, draw);
      return { ...drawn, types: new Int32Array(drawn.entries.length).fill(draw.relation ?? -1) };
    };
    const remote = {
      own: { first, count: end - first },
      drawInEdges,
      inDegrees: async (nodes: Int32Array) => inDegrees(graph, nodes),
      rows: () => Promise.reject(new Error("Nothing is computed here.")),
    };
    return { ...graph, parts: [own], remote };
  });
  return { graphs, asked };
}

const fanout = fc.integer({ min: -1, max: 3 });

test("fanouts of relations drawn on ranks that hold parts give the bits of blocks from the whole graph", async () => {
  const cases = fc.record({
    cut: fc.tuple(fc.nat(numNodes), fc.nat(numNodes)),
    seeds: fc.uniqueArray(fc.nat(numNodes - 1), { maxLength: 10 }),
    fanouts: fc.array(fanout, { minLength: 2, maxLength: 2 }),
    likes: fc.array(fanout, { minLength: 2, maxLength: 2 }),
    replace: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(cases, async ({ cut, seeds, fanouts, likes, replace }) => {
      const { graphs, asked } = cutIn([0, ...cut.toSorted((a, b) => a - b), numNodes]);
      const draw = (from: CscGraph) =>
        createRelationSampler({ graph: from, fanouts, relationFanouts: { likes }, replace, seed: 3 }).sample(
          Int32Array.from(seeds),
          { epoch: 2, step: 7 },
        );
      const whole = await draw(graph);
      for (const part of graphs) {
        asked.length = 0;
        expect(await draw(part)).toEqual(whole);
        // One request for each relation that is drawn from, in each hop.
        expect(new Set(asked.map(({ hop, relation }) => `${hop} ${relation}`)).size).toBe(asked.length);
        const fanoutOf = (hop: number, relation = -1) => (relation === 1 ? likes : fanouts)[hop];
        for (const { hop, relation } of asked) expect(fanoutOf(hop, relation)).not.toBe(0);
      }
    }),
    { numRuns: 60 },
  );
});

test("a relation of lists that have none is refused", async () => {
  const [service] = inProcessRowServices(1);
  service!.hostLists("plain", [0, numNodes], [{ ...partOf(graph, 0, numNodes), types: null }]);
  const draw = { fanout: 2, relation: 1, replace: false, seed: 0, epoch: 0, step: 0, hop: 0 };
  await expect(service!.draw("plain", Int32Array.of(3), draw)).rejects.toMatchObject({
    code: "SPEC_INVALID",
    message: expect.stringContaining('"plain" have no relations'),
  });
});
