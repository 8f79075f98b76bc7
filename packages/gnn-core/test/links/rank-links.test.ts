import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { selectBackend } from "../../src/backends/select-backend.ts";
import { memory } from "../../src/backends/tf.ts";
import { loopbackGroup } from "../../src/dist/loopback.ts";
import { PairIndex } from "../../src/graph/pair-index.ts";
import { dotDecoder } from "../../src/links/decoders/dot.ts";
import type { LinkDecoder } from "../../src/links/decoders/link-decoder.ts";
import type { NodePairs } from "../../src/links/node-pairs.ts";
import { rankLinks } from "../../src/links/rank-links.ts";
import { topNewLinks } from "../../src/links/top-new-links.ts";
import { randomFloats } from "../support/seeded-random.ts";
import { turnsDuring } from "../support/turns-during.ts";

beforeAll(() => selectBackend("native"));

const numNodes = 12;
const dim = 2;

/** Rows of small integers: exact scores, many ties */
const rowValues = fc.array(fc.integer({ min: -2, max: 2 }), { minLength: numNodes * dim, maxLength: numNodes * dim });
const node = fc.nat(numNodes - 1);
const someLinks = fc.array(fc.tuple(node, node), { minLength: 1, maxLength: 20 });

function pairsOf(rows: readonly (readonly [number, number])[]): NodePairs {
  return { src: Int32Array.from(rows, ([src]) => src), dst: Int32Array.from(rows, ([, dst]) => dst) };
}

function score(values: readonly number[], a: number, b: number): number {
  return values[a * dim]! * values[b * dim]! + values[a * dim + 1]! * values[b * dim + 1]!;
}

/** Ranks of all ranks together */
async function ranksOn(
  worldSize: number,
  parts: Omit<Parameters<typeof rankLinks>[0], "rank">,
  links: NodePairs,
): Promise<Float32Array[]> {
  return Promise.all(
    loopbackGroup(worldSize).map((collective, rank) =>
      rankLinks({ ...parts, rank: { rank, worldSize, collective } }, links),
    ),
  );
}

test("filtered and raw ranks are those of a table of all pairs, whatever the blocks and the number of ranks", async () => {
  await fc.assert(
    fc.asyncProperty(
      rowValues,
      someLinks,
      fc.boolean(),
      fc.integer({ min: 1, max: 5 }),
      async (values, rows, filters, perBlock) => {
        const links = pairsOf(rows);
        const known = await PairIndex.of(links, numNodes, true);
        const nodes = { rows: Float32Array.from(values), dim };
        const parts = {
          nodes,
          decoder: dotDecoder(),
          leftOut: filters ? known : null,
          maxBytes: perBlock * 4 * numNodes,
        };
        const [found] = await ranksOn(1, parts, links);
        const expected = rows.map(([src, dst]) => {
          const others = Array.from({ length: numNodes }, (_, other) => other).filter(
            (other) => other !== dst && other !== src && !(filters && known.has(src, other)),
          );
          const above = others.filter((other) => score(values, src, other) > score(values, src, dst)).length;
          const level = others.filter((other) => score(values, src, other) === score(values, src, dst)).length;
          return 1 + above + level / 2;
        });
        expect([...found!]).toEqual(expected);
        expect(await ranksOn(2, parts, links)).toEqual([found, found]);
      },
    ),
    { numRuns: 25 },
  );
});

test("nodes with equal rows share their places exactly, wherever among many they stand", async () => {
  const [count, width] = [1301, 33];
  const half = 650;
  const rows = randomFloats(count * width, 12);
  // Node v + 650 is node v over again; node 1300 is nobody else.
  rows.copyWithin(half * width, 0, half * width);
  const links = pairsOf(Array.from({ length: 400 }, (_, i) => [1300, i % 2 === 0 ? i : half + i] as const));
  const [ranks] = await ranksOn(1, { nodes: { rows, dim: width }, decoder: dotDecoder(), leftOut: null }, links);
  const score = (node: number) => {
    let sum = 0;
    for (let k = 0; k < width; k++) sum += rows[1300 * width + k]! * rows[node * width + k]!;
    return sum;
  };
  const scores = Array.from({ length: half }, (_, node) => score(node));
  for (const [i, rank] of ranks!.entries())
    expect(rank).toBe(2 * scores.filter((other) => other > scores[i]!).length + 1.5);
});

test("timers and messages have their turn between the blocks of a ranking", async () => {
  const count = 4000;
  const links = pairsOf(Array.from({ length: count }, (_, i) => [i, (i + 1) % count] as const));
  const nodes = { rows: randomFloats(count, 1), dim: 1 };
  const work = () => ranksOn(1, { nodes, decoder: dotDecoder(), leftOut: null }, links);
  expect(await turnsDuring(work)).toBeGreaterThanOrEqual(Math.floor(count / 768));
});

test("no more scores exist at a time than the bound allows, and no tensor is left", async () => {
  const shapes: number[][] = [];
  const dot = dotDecoder();
  // Without its product: scores that are one are made and counted natively.
  const decoder: Pick<LinkDecoder, "scoreAll"> = {
    scoreAll: (src, candidates) => {
      const scores = dot.scoreAll(src, candidates);
      shapes.push(scores.shape);
      return scores;
    },
  };
  const nodes = { rows: new Float32Array(numNodes * dim), dim };
  const links = pairsOf(Array.from({ length: numNodes }, (_, i) => [i, (i + 1) % numNodes] as const));
  const before = memory().numTensors;
  const [ranks] = await ranksOn(1, { nodes, decoder, leftOut: null, maxBytes: 5 * 4 * numNodes + 3 }, links);
  expect(shapes).toEqual([
    [5, numNodes],
    [5, numNodes],
    [2, numNodes],
  ]);
  expect(memory().numTensors).toBe(before);
  expect(new Set(ranks)).toEqual(new Set([numNodes / 2])); // constant scores: (11 candidates + 1) / 2
  await ranksOn(1, { nodes, decoder, leftOut: null, maxBytes: 1 }, links);
  expect(shapes.slice(3).every(([rows]) => rows === 1)).toBe(true);
});

test("the best new neighbours are those of a sorted table, without known links and the node itself", async () => {
  await fc.assert(
    fc.asyncProperty(rowValues, someLinks, fc.integer({ min: 1, max: 14 }), async (values, rows, k) => {
      const known = await PairIndex.of(pairsOf(rows), numNodes, false);
      const sources = Int32Array.of(3, 0, 7);
      const nodes = { rows: Float32Array.from(values), dim };
      const found = topNewLinks({ nodes, decoder: dotDecoder(), known, maxBytes: 2 * 4 * numNodes }, sources, k);
      for (const [i, src] of sources.entries()) {
        const expected = Array.from({ length: numNodes }, (_, other) => other)
          .filter((other) => other !== src && !known.has(src, other))
          .toSorted((a, b) => score(values, src, b) - score(values, src, a) || a - b)
          .slice(0, k);
        const padding = Array.from({ length: k - expected.length }, () => -1);
        expect([...found.nodes.subarray(i * k, (i + 1) * k)]).toEqual([...expected, ...padding]);
        const scores = [...expected.map((other) => score(values, src, other)), ...padding.map(() => Number.NaN)];
        expect([...found.scores.subarray(i * k, (i + 1) * k)].map((s) => s + 0)).toEqual(scores.map((s) => s + 0));
      }
    }),
    { numRuns: 25 },
  );
});
