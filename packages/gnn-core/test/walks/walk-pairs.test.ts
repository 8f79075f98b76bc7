import { beforeAll, expect, test } from "vitest";
import { selectBackend } from "../../src/backends/select-backend.ts";
import { type Rank, tensor2d, tidy, variable, variableGrads } from "../../src/backends/tf.ts";
import type { CscGraph } from "../../src/graph/csc-graph.ts";
import { graphFromEdges } from "../../src/graph/graph-from-edges.ts";
import { randomWalks } from "../../src/walks/random-walks.ts";
import { noiseSums } from "../../src/walks/walk-noise.ts";
import { skipGramLoss } from "../../src/walks/walk-objective.ts";
import { type WalkPairs, walkPairs } from "../../src/walks/walk-pairs.ts";
import { expectClose } from "../support/check-op.ts";
import { expectDistribution, tally } from "../support/draw-statistics.ts";
import { randomFloats } from "../support/seeded-random.ts";

beforeAll(() => selectBackend("native"));

const numNodes = 8;
const src = [0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 0, 6, 0];
const dst = [1, 0, 2, 1, 3, 2, 4, 3, 5, 4, 0, 5, 0, 6];
const starts = Int32Array.of(0, 3, 6);
const walks = { length: 7, perNode: 2, p: 0.5, q: 2 };
const key = { seed: 5, epoch: 1 };

const graphOf = (): Promise<CscGraph> => graphFromEdges({ src, dst, numNodes });

/** [centre, other, target] of every pair, as nodes. */
function pairsOf({ nodes, block, targets }: WalkPairs): [number, number, number][] {
  return Array.from(nodes, (_, row) => row).flatMap((row) =>
    Array.from(
      block.indices.subarray(block.indptr[row], block.indptr[row + 1]),
      (other, k) => [nodes[row]!, nodes[other]!, targets[block.indptr[row]! + k]!] as [number, number, number],
    ),
  );
}

test("every two nodes at most a window apart on a walk are a pair in both orders, and no node is one with itself", async () => {
  const graph = await graphOf();
  const pairs = await walkPairs(graph, starts, { ...walks, window: 3, negatives: 2, noise: null }, key);
  const walked = await randomWalks(graph, starts, walks, key);
  const expected: string[] = [];
  for (let w = 0; w < walked.length; w += 8) {
    for (let i = 0; i < 8; i++) {
      for (let j = 0; j < 8; j++) {
        const [a, b] = [walked[w + i]!, walked[w + j]!];
        if (i !== j && Math.abs(i - j) <= 3 && a !== b) expected.push(`${a} ${b}`);
      }
    }
  }
  const found = pairsOf(pairs);
  const met = found.filter(([, , target]) => target === 1);
  expect(met.map(([a, b]) => `${a} ${b}`).toSorted()).toEqual(expected.toSorted());
  expect(pairs.numPositives).toBe(expected.length);
  expect(found.every(([a, b]) => a !== b)).toBe(true);
  expect([...pairs.nodes]).toEqual([...new Set(found.flatMap(([a, b]) => [a, b]))].toSorted((a, b) => a - b));
  const drawn = found.length - met.length;
  expect(drawn).toBeGreaterThan(expected.length);
  expect(drawn).toBeLessThanOrEqual(2 * expected.length);
});

test("pairs of some starts are those that they have beside others", async () => {
  const graph = await graphOf();
  const options = { ...walks, window: 2, negatives: 1, noise: noiseSums(graph) };
  const texts = (pairs: WalkPairs) => pairsOf(pairs).map((pair) => pair.join(" "));
  const all = texts(await walkPairs(graph, starts, options, key));
  const alone = await Promise.all(Array.from(starts, (start) => walkPairs(graph, Int32Array.of(start), options, key)));
  expect(alone.flatMap(texts).toSorted()).toEqual(all.toSorted());
});

test("drawn nodes follow the number of their edges to the power of 3/4", async () => {
  // Walks go between 0 and 1 alone, and these two are left out where they are drawn.
  const star = await graphFromEdges({ src: [0, 1, 2, 2, 3, 3, 3, 3], dst: [1, 0, 4, 5, 4, 5, 6, 7], numNodes: 12 });
  const options = { length: 1, perNode: 4000, window: 1, negatives: 1, noise: noiseSums(star) };
  const pairs = await walkPairs(star, Int32Array.of(0), options, key);
  const drawn = pairsOf(pairs).flatMap(([, other, target]) => (target === 0 ? [other] : []));
  const weights = new Map([
    [2, 2 ** 0.75],
    [3, 4 ** 0.75],
  ]);
  const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  expectDistribution(tally(drawn), new Map([...weights].map(([node, weight]) => [node, weight / total])));
});

test("the loss and its gradient are those of skip-gram with negative sampling, pair by pair", async () => {
  const pairs = await walkPairs(await graphOf(), starts, { ...walks, window: 2, negatives: 2, noise: null }, key);
  const dim = 5;
  const rows = randomFloats(pairs.nodes.length * dim, 2);
  const rowOf = new Map(Array.from(pairs.nodes, (node, row) => [node, row]));
  let expected = 0;
  const gradient = new Float64Array(rows.length);
  for (const [centre, other, target] of pairsOf(pairs)) {
    const [a, b] = [rowOf.get(centre)! * dim, rowOf.get(other)! * dim];
    let score = 0;
    for (let c = 0; c < dim; c++) score += rows[a + c]! * rows[b + c]!;
    const sigmoid = 1 / (1 + Math.exp(-score));
    expected -= Math.log(target === 1 ? sigmoid : 1 - sigmoid);
    for (let c = 0; c < dim; c++) {
      gradient[a + c]! += (sigmoid - target) * rows[b + c]!;
      gradient[b + c]! += (sigmoid - target) * rows[a + c]!;
    }
  }
  tidy(() => {
    const given = variable<Rank.R2>(tensor2d(rows, [pairs.nodes.length, dim]));
    const loss = skipGramLoss(pairs);
    const { value, grads } = variableGrads(() => loss.lossSum(given, pairs.nodes), [given]);
    expect(value.dataSync()[0]! / expected).toBeCloseTo(1, 5);
    expectClose(grads[given.name]!.dataSync<"float32">(), Float32Array.from(gradient), 1e-4);
    expect(loss.count(new Float32Array(), pairs.nodes).weightSum).toBe(pairs.numPositives);
    given.dispose();
  });
});

test("more pairs than one step can have are refused before they are made", async () => {
  const options = { length: 1000, perNode: 1000, window: 100, negatives: 100, noise: null };
  const making = walkPairs(await graphOf(), starts, options, key);
  await expect(making).rejects.toMatchObject({ code: "DATASET_TOO_LARGE" });
});
