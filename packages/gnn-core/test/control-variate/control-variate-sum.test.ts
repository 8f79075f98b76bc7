import { beforeAll, describe, expect, test } from "vitest";
import { selectBackend } from "../../src/backends/select-backend.ts";
import { type Tensor2D, tensor2d, tidy } from "../../src/backends/tf.ts";
import { controlVariateSum } from "../../src/control-variate/control-variate-sum.ts";
import { withDrawImportance } from "../../src/control-variate/draw-importance.ts";
import { neighborSum, sumNeighbors } from "../../src/control-variate/neighbor-sum.ts";
import { noiseSum, noiseWeights } from "../../src/control-variate/noise-sum.ts";
import type { Block } from "../../src/graph/block.ts";
import type { CscGraph } from "../../src/graph/csc-graph.ts";
import { graphFromEdges } from "../../src/graph/graph-from-edges.ts";
import { gcnNorm } from "../../src/ops/gcn-norm.ts";
import { spmmMean } from "../../src/ops/spmm.ts";
import { weightedSpmm } from "../../src/ops/weighted-spmm.ts";
import { createBlockSampler } from "../../src/sampling/block-sampler.ts";
import { fullBlock } from "../../src/sampling/full-block.ts";
import { attachDegrees, inDegrees, withDegrees } from "../../src/sampling/with-degrees.ts";
import { checkOp, expectClose } from "../support/check-op.ts";
import { blockOf } from "../support/random-block.ts";
import { randomFloats } from "../support/seeded-random.ts";

// 0, 1, 2, 3 → 4;  1, 2 → 3;  4 → 0;  nobody → 1, 2.
const src = [0, 1, 2, 3, 1, 2, 4];
const dst = [4, 4, 4, 4, 3, 3, 0];
const weights = [0.5, 2, 1, 3, 0.25, 1.5, 4];
const numNodes = 5;
const types = ["mean", "gcn"] as const;
type Sum = (typeof types)[number];
const cases = types.flatMap(
  (type) =>
    (type === "mean"
      ? [[type, false]]
      : [
          [type, false],
          [type, true],
        ]) as [Sum, boolean][],
);

const tinyGraph = (weighted: boolean): Promise<CscGraph> =>
  graphFromEdges({ src, dst, numNodes, ...(weighted && { weights }) });

/** c_uv and s_v as a full matrix in double precision, row = dst. */
function coefficients(type: Sum, weighted: boolean): Float64Array {
  const matrix = new Float64Array(numNodes * numNodes);
  const inEdges = (node: number) => dst.flatMap((to, e) => (to === node ? [e] : []));
  const weightOf = (e: number) => (weighted ? weights[e]! : 1);
  const hat = (node: number) => 1 + inEdges(node).reduce((sum, e) => sum + weightOf(e), 0);
  for (let v = 0; v < numNodes; v++) {
    const edges = inEdges(v);
    for (const e of edges) {
      const u = src[e]!;
      matrix[v * numNodes + u] = type === "mean" ? 1 / edges.length : weightOf(e) / Math.sqrt(hat(u) * hat(v));
    }
    if (type === "gcn") matrix[v * numNodes + v]! += 1 / hat(v);
  }
  return matrix;
}

function exactSum(type: Sum, weighted: boolean, x: Float32Array, dim: number): Float64Array {
  const matrix = coefficients(type, weighted);
  return Float64Array.from({ length: numNodes * dim }, (_, i) => {
    const v = Math.floor(i / dim);
    const d = i % dim;
    let sum = 0;
    for (let u = 0; u < numNodes; u++) sum += matrix[v * numNodes + u]! * x[u * dim + d]!;
    return sum;
  });
}

/** The block of every way to draw one in-neighbour for each node, all equally likely. */
async function everyDraw(graph: CscGraph): Promise<Block[]> {
  const all = await fullBlock(graph, 0, numNodes);
  const columns = Array.from({ length: numNodes }, (_, v) => [
    ...all.indices.subarray(all.indptr[v], all.indptr[v + 1]),
  ]);
  let draws: number[][][] = [[]];
  for (const column of columns) {
    const picks = column.length === 0 ? [[]] : column.map((u) => [u]);
    draws = draws.flatMap((draw) => picks.map((pick) => [...draw, pick]));
  }
  const [part] = graph.parts;
  const weightOf = (u: number, v: number) => {
    const begin = Number(part!.indptr[v]);
    return part!.weights![begin + [...part!.indices.subarray(begin, Number(part!.indptr[v + 1]))].indexOf(u)]!;
  };
  const srcIds = Int32Array.from({ length: numNodes }, (_, node) => node);
  const srcDegrees = await inDegrees(graph, srcIds);
  const blocks = draws.map((draw) => ({
    ...blockOf(numNodes, draw),
    srcIds,
    srcDegrees,
    weights: part!.weights && Float32Array.from(draw.flatMap((picks, v) => picks.map((u) => weightOf(u, v)))),
  }));
  const sampler = (block: Block) => withDrawImportance({ sample: async () => [block] }, graph);
  return (await Promise.all(blocks.map((block) => sampler(block).sample(srcIds, { epoch: 0, step: 0 })))).map(
    ([block]) => block!,
  );
}

const valuesOf = (make: () => Tensor2D) => tidy(make).dataSync<"float32">().slice();

beforeAll(() => selectBackend("native"));

describe.each(cases)("the sum %s (edge weights: %s)", (type, weighted) => {
  const dim = 3;
  const h = randomFloats(numNodes * dim, 2);
  const estimate = async (graph: CscGraph, block: Block, history: Float32Array) => {
    const sum = await neighborSum(type, graph);
    const out = valuesOf(() => controlVariateSum(block, tensor2d(h, [numNodes, dim]), sum, history));
    return type === "mean" ? out.subarray(numNodes * dim) : out;
  };

  test("over all ways to draw one neighbour, the mean of the estimates is the exact sum, whatever the history", async () => {
    const graph = await tinyGraph(weighted);
    const draws = await everyDraw(graph);
    expect(draws).toHaveLength(4 * 2 * 1); // in-degrees of nodes 4, 3 and 0
    const history = randomFloats(numNodes * dim, 9);
    const mean = new Float64Array(numNodes * dim);
    for (const block of draws) {
      (await estimate(graph, block, history)).forEach((value, i) => (mean[i]! += value / draws.length));
    }
    expectClose(mean, exactSum(type, weighted, h, dim), 1e-6);
  });

  test("with an exact history every draw gives the same bits, those of the exact sum", async () => {
    const graph = await tinyGraph(weighted);
    const draws = await everyDraw(graph);
    const estimates = await Promise.all(draws.map((block) => estimate(graph, block, h)));
    for (const found of estimates) expect(found).toEqual(estimates[0]);
    expectClose(estimates[0]!, exactSum(type, weighted, h, dim), 1e-6);
  });

  test("the closer the history, the smaller the variance: a tenth of the distance, a hundredth of the variance", async () => {
    const graph = await tinyGraph(weighted);
    const draws = await everyDraw(graph);
    const noise = randomFloats(numNodes * dim, 4);
    const exact = exactSum(type, weighted, h, dim);
    const varianceAt = async (distance: number) => {
      const history = h.map((value, i) => value - distance * noise[i]!);
      const estimates = await Promise.all(draws.map((block) => estimate(graph, block, history)));
      return estimates
        .flatMap((found) => [...found].map((value, i) => (value - exact[i]!) ** 2))
        .reduce((a, b) => a + b);
    };
    const ratio = (await varianceAt(0.1)) / (await varianceAt(1));
    expect(ratio).toBeGreaterThan(0.0099);
    expect(ratio).toBeLessThan(0.0101);
  });

  test("the share of dropout has the variance of the whole neighbourhood: over all draws the mean of Σ b² is Σ c²", async () => {
    const graph = await tinyGraph(weighted);
    const draws = await everyDraw(graph);
    const matrix = coefficients(type, weighted);
    const squares = new Float64Array(numNodes);
    for (const block of draws) {
      const { edgeWeights } = noiseWeights(type, block);
      for (let v = 0; v < numNodes; v++) {
        for (const b of edgeWeights.subarray(block.indptr[v], block.indptr[v + 1]))
          squares[v]! += b ** 2 / draws.length;
      }
    }
    const expected = Float64Array.from({ length: numNodes }, (_, v) =>
      Array.from({ length: numNodes }, (__, u) => (u === v ? 0 : matrix[v * numNodes + u]! ** 2)).reduce(
        (a, b) => a + b,
      ),
    );
    expectClose(squares, expected, 1e-6);
  });

  test("the share of dropout and its gradient are those of the formula in double precision", async () => {
    const graph = await tinyGraph(weighted);
    const block = (await everyDraw(graph))[5]!;
    const { edgeWeights, selfWeights } = noiseWeights(type, block);
    checkOp({
      inputs: { h: [numNodes, 3], mu: [numNodes, 3] },
      run: ({ h: x, mu }) => noiseSum(type, block, x as Tensor2D, mu as Tensor2D),
      reference: ({ h: x, mu }) => {
        const noise = x.map((value, i) => value - mu[i]!);
        const out = new Float64Array(numNodes * 3);
        for (let v = 0; v < numNodes; v++) {
          for (let d = 0; d < 3; d++) {
            let value = (selfWeights?.[v] ?? 0) * noise[v * 3 + d]!;
            for (let e = block.indptr[v]!; e < block.indptr[v + 1]!; e++) {
              value += edgeWeights[e]! * noise[block.indices[e]! * 3 + d]!;
            }
            out[v * 3 + d] = value;
          }
        }
        return type === "mean" ? Float64Array.of(...noise, ...out) : out;
      },
    });
  });

  test("whole sums have the bits of the sum over a full block", async () => {
    const graph = await tinyGraph(weighted);
    const nodes = Int32Array.of(4, 1, 3);
    const found = sumNeighbors(await neighborSum(type, graph), nodes, dim, h);
    const block = await attachDegrees(graph, await fullBlock(graph, 0, numNodes));
    const expected = valuesOf(() => {
      const x = tensor2d(h, [numNodes, dim]); // all nodes are dst rows, so row i is node i
      return type === "mean" ? spmmMean(block, x) : weightedSpmm(block, x, gcnNorm(block));
    });
    const rows = [...nodes].flatMap((node) => [...expected.subarray(node * dim, (node + 1) * dim)]);
    expect([...found]).toEqual(rows);
  });

  test("values and gradient are those of the formula in double precision", async () => {
    const graph = await tinyGraph(weighted);
    const block = (await everyDraw(graph))[3]!;
    const sum = await neighborSum(type, graph);
    const history = randomFloats(numNodes * 7, 5);
    const matrix = coefficients(type, weighted);
    const inDegree = (node: number) => dst.filter((to) => to === node).length;
    checkOp({
      inputs: { h: [numNodes, 7] },
      run: ({ h: x }) => controlVariateSum(block, x as Tensor2D, sum, history),
      reference: ({ h: x }) => {
        const out = new Float64Array(numNodes * 7);
        for (let v = 0; v < numNodes; v++) {
          for (let d = 0; d < 7; d++) {
            const at = (node: number) => node * 7 + d;
            let value = 0;
            for (let u = 0; u < numNodes; u++) value += matrix[v * numNodes + u]! * history[at(u)]!;
            for (let e = block.indptr[v]!; e < block.indptr[v + 1]!; e++) {
              const u = block.indices[e]!;
              value += inDegree(v) * matrix[v * numNodes + u]! * (x[at(u)]! - history[at(u)]!);
            }
            if (type === "gcn") value += matrix[v * numNodes + v]! * (x[at(v)]! - history[at(v)]!);
            out[at(v)] = value;
          }
        }
        return type === "mean" ? Float64Array.of(...x, ...out) : out;
      },
    });
  });
});

test("stock ops give the same on the cpu backend", async () => {
  const graph = await tinyGraph(false);
  const [block] = await withDegrees(createBlockSampler({ graph, fanouts: [1], replace: false, seed: 3 }), graph).sample(
    Int32Array.of(4, 3, 0),
    { epoch: 1, step: 2 },
  );
  const h = randomFloats(block!.numSrc * 2, 6);
  const history = randomFloats(numNodes * 2, 7);
  for (const type of types) {
    const sum = await neighborSum(type, graph);
    const run = () => valuesOf(() => controlVariateSum(block!, tensor2d(h, [block!.numSrc, 2]), sum, history));
    const native = run();
    await selectBackend("cpu");
    const stock = run();
    await selectBackend("native");
    expectClose(native, stock, 1e-6);
  }
});

test("a node outside the graph and rows of another number are refused", async () => {
  const graph = await tinyGraph(false);
  const sum = await neighborSum("mean", graph);
  expect(() => sumNeighbors(sum, Int32Array.of(5), 1, new Float32Array(5))).toThrow(
    expect.objectContaining({ code: "SHAPE_MISMATCH" }),
  );
  expect(() => sumNeighbors(sum, Int32Array.of(4), 1, new Float32Array(4))).toThrow(/x has 4 elements; expected 5/);
  const block = await fullBlock(graph, 0, 2);
  expect(() => controlVariateSum(block, tensor2d([1], [1, 1]), sum, new Float32Array(5))).toThrow(/one per src node/);
});
