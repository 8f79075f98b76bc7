import { expect, test } from "vitest";
import type { CscGraph } from "../../src/graph/csc-graph.ts";
import { graphFromEdges } from "../../src/graph/graph-from-edges.ts";
import { randomWalks } from "../../src/walks/random-walks.ts";
import { expectDistribution, tally } from "../support/draw-statistics.ts";

/** A triangle with a tail and a square, whose edges weigh differently; a node alone, and one with an edge in alone. */
const links = [
  [0, 1, 1],
  [1, 2, 2],
  [0, 2, 4],
  [2, 3, 1],
  [3, 4, 3],
  [4, 5, 1],
  [3, 5, 2],
] as const;
const numNodes = 7;

function graphOf(isWeighted: boolean): Promise<CscGraph> {
  const both = links.flatMap(([a, b, weight]) => [
    [a, b, weight],
    [b, a, weight],
  ]);
  return graphFromEdges({
    src: both.map(([a]) => a!),
    dst: both.map(([, b]) => b!),
    numNodes,
    ...(isWeighted && { weights: Float32Array.from(both, ([, , weight]) => weight!) }),
  });
}

const starts = Int32Array.from({ length: 6 }, (_, node) => node);

/** The probability of each step x from t over v, by the definition. */
function expectedSteps(t: number, v: number, isWeighted: boolean, p: number, q: number): Map<number, number> {
  const weightOf = (a: number, b: number) =>
    links.find(([x, y]) => (x === a && y === b) || (x === b && y === a))?.[2] ?? null;
  const weights = new Map<number, number>();
  for (let x = 0; x < numNodes; x++) {
    const weight = weightOf(v, x);
    if (weight === null) continue;
    const alpha = x === t ? 1 / p : weightOf(t, x) === null ? 1 / q : 1;
    weights.set(x, alpha * (isWeighted ? weight : 1));
  }
  const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  return new Map([...weights].map(([x, weight]) => [x, weight / total]));
}

test.each([
  [false, 1, 1],
  [true, 1, 1],
  [false, 0.25, 4],
  [false, 4, 0.25],
  [true, 0.5, 2],
])("steps follow their probabilities of second order: weights %s, p %f, q %f", async (isWeighted, p, q) => {
  const length = 12;
  const options = { length, perNode: 400, p, q };
  const walks = await randomWalks(await graphOf(isWeighted), starts, options, { seed: 3, epoch: 2 });
  const found = new Map<string, number[]>();
  for (let walk = 0; walk < walks.length; walk += length + 1) {
    for (let i = walk + 1; i < walk + length; i++) {
      const name = `${walks[i - 1]} ${walks[i]}`;
      found.set(name, [...(found.get(name) ?? []), walks[i + 1]!]);
    }
  }
  expect(found.size).toBe(2 * links.length);
  for (const [name, nexts] of found) {
    const [t, v] = name.split(" ").map(Number) as [number, number];
    const expected = expectedSteps(t, v, isWeighted, p, q);
    if (expected.size > 1) expectDistribution(tally(nexts), expected);
  }
});

test("a walk depends on its start, number, seed and epoch alone: neither on other starts nor on how the graph is cut", async () => {
  const graph = await graphOf(true);
  const options = { length: 9, perNode: 3, p: 0.5, q: 2 };
  const key = { seed: 1, epoch: 4 };
  const all = await randomWalks(graph, starts, options, key);
  const perStart = 3 * 10;
  const turned = await randomWalks(graph, starts.toReversed(), options, key);
  for (const node of starts) {
    const at = (5 - node) * perStart;
    expect(turned.subarray(at, at + perStart)).toEqual(all.subarray(node * perStart, (node + 1) * perStart));
  }
  const [whole] = graph.parts;
  const { indptr, indices, weights } = whole!;
  const cutAt = Number(indptr[3]);
  const cut: CscGraph = {
    ...graph,
    parts: [
      {
        firstNode: 0,
        numNodes: 3,
        indptr: indptr.slice(0, 4),
        indices: indices.slice(0, cutAt),
        weights: weights!.slice(0, cutAt),
      },
      {
        firstNode: 3,
        numNodes: 4,
        indptr: indptr.slice(3).map((offset) => offset - BigInt(cutAt)),
        indices: indices.slice(cutAt),
        weights: weights!.slice(cutAt),
      },
    ],
  };
  expect(await randomWalks(cut, starts, options, key)).toEqual(all);
  expect(await randomWalks(graph, starts, options, { ...key, epoch: 5 })).not.toEqual(all);
  expect(await randomWalks(graph, starts, options, { ...key, seed: 2 })).not.toEqual(all);
});

test("a walk goes against the direction of edges, and ends where no edge leads on", async () => {
  const path = await graphFromEdges({ src: [0, 1], dst: [1, 2], numNodes: 3 });
  const walks = await randomWalks(path, Int32Array.of(2, 0), { length: 3, perNode: 1, p: 2 }, { seed: 0, epoch: 0 });
  expect([...walks]).toEqual([2, 1, 0, -1, 0, -1, -1, -1]);
});

test("edges that weigh nothing are not walked along", async () => {
  const weights = Float32Array.of(0, 1, 0);
  const graph = await graphFromEdges({ src: [0, 1, 2], dst: [3, 3, 0], numNodes: 4, weights });
  const options = { length: 2, perNode: 50 };
  const walks = await randomWalks(graph, Int32Array.of(3, 0), options, { seed: 0, epoch: 0 });
  const seen = new Set(walks.subarray(0, 150));
  expect(seen).toEqual(new Set([3, 1, -1]));
  expect(new Set(walks.subarray(150))).toEqual(new Set([0, -1]));
});

test("what cannot be walked is refused with what was found", async () => {
  const graph = await graphOf(false);
  const walk = (options: object, ids = starts) =>
    randomWalks(graph, ids, { length: 3, perNode: 1, ...options }, { seed: 0, epoch: 0 });
  await expect(walk({ p: 0 })).rejects.toMatchObject({
    code: "SPEC_INVALID",
    message: expect.stringContaining("p is 0"),
  });
  await expect(walk({ q: 1e9 })).rejects.toMatchObject({ code: "SPEC_INVALID" });
  await expect(walk({ length: 0 })).rejects.toMatchObject({ code: "SPEC_INVALID" });
  await expect(walk({}, Int32Array.of(numNodes))).rejects.toMatchObject({ code: "SHAPE_MISMATCH" });
});
