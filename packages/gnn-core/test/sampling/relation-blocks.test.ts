import { expect, test } from "vitest";
import type { Block } from "../../src/graph/block.ts";
import { graphFromRelations } from "../../src/graph/graph-from-relations.ts";
import { createBlockSampler } from "../../src/sampling/block-sampler.ts";
import { createRelationSampler, type RelationSamplerOptions } from "../../src/sampling/relation-blocks.ts";
import { decodeBlocks, encodeBlocks } from "../../src/sampling/remote/batch-codec.ts";
import { seededRandom } from "../support/seeded-random.ts";

const numNodes = 60;
const names = ["cites", "writes", "likes"] as const;
const random = seededRandom(3);
const graph = await graphFromRelations({
  numNodes,
  relations: Object.fromEntries(
    names.map((name, r) => {
      const draw = () => Int32Array.from({ length: 200 * (r + 1) }, () => Math.floor(random() * numNodes));
      return [name, { src: draw(), dst: draw() }];
    }),
  ),
});
const seeds = Int32Array.of(7, 1, 44, 20);
const key = { epoch: 2, step: 5 };

const sample = (options: Partial<RelationSamplerOptions> = {}) =>
  createRelationSampler({ graph, fanouts: [3, 2], relationFanouts: {}, replace: false, seed: 9, ...options }).sample(
    seeds,
    key,
  );

/** `source of relation` of each in-edge of a dst row, by GlobalId. */
function edgesInto({ indptr, indices, srcIds, types }: Block, dst: number): [source: number, relation: number][] {
  return Array.from(indices.subarray(indptr[dst], indptr[dst + 1]), (src, i) => [
    srcIds[src]!,
    types![indptr[dst]! + i]!,
  ]);
}

function degreeOf(node: number, relation: number): number {
  const { indptr, types } = graph.parts[0]!;
  return types!.subarray(Number(indptr[node]), Number(indptr[node + 1])).filter((type) => type === relation).length;
}

test("each node hears from min(fanout, degree) in-neighbours of each relation, which are there", async () => {
  const fanouts = [
    [3, 3, 5],
    [2, 2, -1],
  ];
  const blocks = await sample({ relationFanouts: { likes: [5, -1] } });
  const { indptr, indices, types } = graph.parts[0]!;
  for (const [i, block] of blocks.entries()) {
    const hop = fanouts[1 - i]!;
    for (let v = 0; v < block.numDst; v++) {
      const node = block.srcIds[v]!;
      const drawn = edgesInto(block, v);
      const counts = names.map((_, r) => drawn.filter(([, relation]) => relation === r).length);
      expect(counts).toEqual(
        hop.map((fanout, r) => (fanout < 0 ? degreeOf(node, r) : Math.min(fanout, degreeOf(node, r)))),
      );
      const all = new Set<string>();
      for (let e = Number(indptr[node]); e < Number(indptr[node + 1]); e++) all.add(`${indices[e]} ${types![e]}`);
      expect(drawn.every(([source, relation]) => all.has(`${source} ${relation}`))).toBe(true);
      expect(drawn.map(([, relation]) => relation)).toEqual(
        drawn.map(([, relation]) => relation).toSorted((a, b) => a - b),
      );
      expect(new Set(drawn.map(String)).size).toBe(drawn.length);
    }
  }
});

test("what is drawn of one relation does not depend on the fanouts of the others, nor on the batch", async () => {
  const ofRelation = (block: Block, dst: number, relation: number) =>
    edgesInto(block, dst).filter(([, r]) => r === relation);
  const last = async (options: object) => (await sample(options)).at(-1)!;
  const [few, many] = [await last({}), await last({ relationFanouts: { cites: [9, 9] } })];
  for (let v = 0; v < seeds.length; v++) {
    for (const relation of [1, 2]) expect(ofRelation(many, v, relation)).toEqual(ofRelation(few, v, relation));
  }
  const alone = createRelationSampler({ graph, fanouts: [3], relationFanouts: {}, replace: false, seed: 9 });
  const [block] = await alone.sample(seeds.subarray(2, 3), key);
  expect(edgesInto(block!, 0)).toEqual(edgesInto(few, 2));
  expect(edgesInto(await last({ seed: 10 }), 0)).not.toEqual(edgesInto(few, 0));
});

test("with replacement every relation that a node has gives its fanout", async () => {
  const [, block] = await sample({ replace: true });
  for (let v = 0; v < seeds.length; v++) {
    const drawn = edgesInto(block!, v);
    names.forEach((_, r) => {
      expect(drawn.filter(([, relation]) => relation === r)).toHaveLength(degreeOf(seeds[v]!, r) > 0 ? 3 : 0);
    });
  }
});

test("all in-neighbours of each relation are all in-neighbours, and every sampler of them tells the relations", async () => {
  const [ofRelations] = await sample({ fanouts: [-1] });
  const whole = createBlockSampler({ graph, fanouts: [-1], replace: false, seed: 1 });
  const [plain] = await whole.sample(seeds, key);
  expect(plain!.types).toEqual(ofRelations!.types);
  expect(plain!.srcIds).toEqual(ofRelations!.srcIds);
});

test("blocks come through a sampler process with their types", async () => {
  const blocks = await sample();
  const payload = new Uint8Array(Buffer.concat(encodeBlocks(blocks)));
  expect(decodeBlocks(payload).map(({ types }) => types)).toEqual(blocks.map(({ types }) => types));
});

test("a relation that the graph does not have, and a graph without relations, are told at the option", () => {
  const options = { graph, fanouts: [3, 2], replace: false, seed: 9 };
  const refused = (pointer: string) => expect.objectContaining({ code: "SPEC_INVALID", place: { pointer } });
  expect(() => createRelationSampler({ ...options, relationFanouts: { hates: [1, 1] } })).toThrow(
    refused("/sampling/options/relationFanouts/hates"),
  );
  expect(() => createRelationSampler({ ...options, relationFanouts: { likes: [1] } })).toThrow(
    refused("/sampling/options/relationFanouts/likes"),
  );
  const { relations: _, ...plain } = graph;
  expect(() => createRelationSampler({ ...options, graph: plain, relationFanouts: {} })).toThrow(
    refused("/sampling/options/perRelation"),
  );
});
