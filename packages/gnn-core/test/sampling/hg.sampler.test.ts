import { beforeAll, describe, expect, test } from "vitest";
import { selectBackend } from "../../src/backends/select-backend.ts";
import { graphFromRelations } from "../../src/graph/graph-from-relations.ts";
import { createBlockSampler } from "../../src/sampling/block-sampler.ts";
import { createHgSampler } from "../../src/sampling/hg-blocks.ts";
import { hgSamplingSampler } from "../../src/sampling/hg-sampling.sampler.ts";
import { samplerSuite } from "../conformance/sampler.suite.ts";
import { expectDistribution, tally } from "../support/draw-statistics.ts";
import { seededRandom } from "../support/seeded-random.ts";

beforeAll(() => selectBackend("native"));

samplerSuite({
  name: "HGSampling [4, 6]",
  numHops: 2,
  create: (context) => hgSamplingSampler.create({ nodesPerType: [4, 6] }, context),
  expectedPicks: (degree) => [0, degree],
  replace: false,
  dependsOnBatch: true,
});

samplerSuite({
  name: "HGSampling [-1, -1] with weights",
  numHops: 2,
  create: (context) => hgSamplingSampler.create({ nodesPerType: [-1, -1] }, context),
  expectedPicks: (degree) => degree,
  replace: false,
  weighted: true,
});

/** Authors 0–5 write papers 6–11, which cite each other and have subjects 12–14; papers hear from all of them. */
const names = ["author", "paper", "subject"];
const typeOf = (node: number) => (node < 6 ? 0 : node < 12 ? 1 : 2);
const relations = {
  writes: { src: [0, 1, 2, 3, 1, 4, 5, 0], dst: [6, 6, 6, 7, 7, 8, 9, 10] },
  cites: { src: [7, 8, 9, 8, 10, 11, 6], dst: [6, 6, 6, 7, 7, 8, 9] },
  about: { src: [12, 13, 13, 14, 12], dst: [6, 6, 7, 8, 9] },
};
const graphOf = () =>
  graphFromRelations({
    numNodes: 15,
    relations,
    nodeTypes: { names, codes: Int32Array.from({ length: 15 }, (_, node) => typeOf(node)) },
  });

/** In-edges of a node by relation, straight from the lists */
function listsInto(node: number): number[][] {
  return Object.values(relations).map(({ src, dst }) => src.filter((_from, i) => dst[i] === node));
}

/** B_u² of the nodes that send to those taken, by the paper's definition */
function weightsOf(taken: ReadonlySet<number>): Map<number, number> {
  const budget = new Map<number, number>();
  for (const node of taken) {
    for (const list of listsInto(node)) {
      for (const src of list) if (!taken.has(src)) budget.set(src, (budget.get(src) ?? 0) + 1 / list.length);
    }
  }
  return new Map([...budget].map(([node, share]) => [node, share ** 2]));
}

/** What `count` successive draws without replacement may give, and how likely each set is */
function drawsFrom(weights: ReadonlyMap<number, number>, count: number): Map<string, number> {
  if (count === 0 || weights.size === 0) return new Map([["", 1]]);
  const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  const outcomes = new Map<string, number>();
  for (const [node, weight] of weights) {
    const others = new Map([...weights].filter(([other]) => other !== node));
    for (const [rest, chance] of drawsFrom(others, count - 1)) {
      const key = sorted([node, ...nodesIn(rest)]);
      outcomes.set(key, (outcomes.get(key) ?? 0) + (weight / total) * chance);
    }
  }
  return outcomes;
}

const sorted = (nodes: Iterable<number>) => [...nodes].toSorted((a, b) => a - b).join(" ");
const nodesIn = (key: string) => (key === "" ? [] : key.split(" ").map(Number));

/** The probability of every set of nodes that the rounds may take */
function setsOf(taken: ReadonlySet<number>, [count, ...rounds]: readonly number[]): Map<string, number> {
  if (count === undefined) return new Map([[sorted(taken), 1]]);
  const weights = weightsOf(taken);
  let drawn = new Map([["", 1]]);
  for (const type of names.keys()) {
    const ofType = drawsFrom(new Map([...weights].filter(([node]) => typeOf(node) === type)), count);
    drawn = new Map(
      [...drawn].flatMap(([some, p]) =>
        [...ofType].map(([more, q]) => [sorted([...nodesIn(some), ...nodesIn(more)]), p * q]),
      ),
    );
  }
  const sets = new Map<string, number>();
  for (const [nodes, chance] of drawn) {
    for (const [set, p] of setsOf(new Set([...taken, ...nodesIn(nodes)]), rounds)) {
      sets.set(set, (sets.get(set) ?? 0) + chance * p);
    }
  }
  return sets;
}

describe("HGSampling on a typed graph", () => {
  test.each([[[1]], [[2]], [[1, 1]], [[2, 1]]])(
    "takes %o nodes of each type with the probabilities of the paper's algorithm, worked out by hand",
    async (nodesPerType) => {
      const graph = await graphOf();
      const sampler = createHgSampler({ graph, nodesPerType, seed: 3 });
      const draws = Array.from({ length: 4000 }, (_, step) => sampler.sample(Int32Array.of(6), { epoch: 1, step }));
      const found = tally((await Promise.all(draws)).map(([block]) => sorted(block!.srcIds)));
      const expected = setsOf(new Set([6]), nodesPerType);
      expect([...expected.values()].reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 10);
      // Outcomes of less than five in all are counted together.
      const rare = new Set([...expected].filter(([, p]) => p * 4000 < 5).map(([set]) => set));
      const merged = (sets: ReadonlyMap<string, number>) => {
        const kept = new Map([...sets].filter(([set]) => !rare.has(set)));
        const rest = [...sets].reduce((sum, [set, value]) => sum + (rare.has(set) ? value : 0), 0);
        return rest > 0 ? kept.set("rare", rest) : kept;
      };
      expectDistribution(merged(found), merged(expected));
    },
  );

  test("keeps all edges between taken nodes with their relations, and no others", async () => {
    const graph = await graphOf();
    const sampler = createHgSampler({ graph, nodesPerType: [2, 1], seed: 5 });
    const order = Object.keys(relations);
    for (let step = 0; step < 50; step++) {
      const blocks = await sampler.sample(Int32Array.of(6, 7), { epoch: 1, step });
      const taken = new Set(blocks[0]!.srcIds);
      for (const { indptr, indices, srcIds, numDst, types } of blocks) {
        const found = Array.from({ length: numDst }, (_, row) =>
          Array.from(indices.subarray(indptr[row], indptr[row + 1]), (from, i) => {
            return `${srcIds[from]} ${order[types![indptr[row]! + i]!]} ${srcIds[row]}`;
          }),
        ).flat();
        const expected = [...srcIds.subarray(0, numDst)].flatMap((dst) =>
          Object.entries(relations).flatMap(([name, { src, dst: to }]) =>
            src.filter((from, i) => to[i] === dst && taken.has(from)).map((from) => `${from} ${name} ${dst}`),
          ),
        );
        expect(found.toSorted()).toEqual(expected.toSorted());
      }
    }
  });

  test("has as many nodes of a rare type as of a frequent one, where uniform draws have hardly any", async () => {
    const random = seededRandom(3);
    const [numItems, numTags] = [400, 20];
    const some = (count: number, first: number) =>
      Array.from({ length: count }, () => first + Math.floor(random() * 380));
    const targets = Array.from({ length: 4000 }, () => Math.floor(random() * numItems));
    const likes = { src: some(4000, 0), dst: targets };
    const tags = { src: targets.slice(0, 200).map((_, i) => numItems + (i % numTags)), dst: targets.slice(0, 200) };
    const codes = Int32Array.from({ length: numItems + numTags }, (_, node) => Number(node >= numItems));
    const graph = await graphFromRelations({
      numNodes: numItems + numTags,
      relations: { likes, tags },
      nodeTypes: { names: ["item", "tag"], codes },
    });
    const seeds = Int32Array.from({ length: 40 }, (_, node) => node);
    const key = { epoch: 1, step: 0 };
    const numTagsIn = (ids: Int32Array) => ids.filter((node) => node >= numItems).length;
    const [block] = await createHgSampler({ graph, nodesPerType: [12], seed: 0 }).sample(seeds, key);
    expect([block!.numSrc, numTagsIn(block!.srcIds)]).toEqual([40 + 24, 12]);
    const [uniform] = await createBlockSampler({ graph, fanouts: [1], replace: false, seed: 0 }).sample(seeds, key);
    expect(numTagsIn(uniform!.srcIds)).toBeLessThan(6);
  });
});
