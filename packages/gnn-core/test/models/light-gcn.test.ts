import { beforeAll, expect, test } from "vitest";
import { selectBackend } from "../../src/backends/select-backend.ts";
import { memory, type Tensor2D } from "../../src/backends/tf.ts";
import { loopback } from "../../src/dist/loopback.ts";
import { DenseFeatureStore } from "../../src/features/dense-feature-store.ts";
import { graphFromEdges } from "../../src/graph/graph-from-edges.ts";
import { inferNodes } from "../../src/infer/infer-nodes.ts";
import { lightGcn } from "../../src/models/light-gcn.model.ts";
import { nn } from "../../src/nn/index.ts";
import { symmetricNorm } from "../../src/ops/symmetric-norm.ts";
import { createBlockSampler } from "../../src/sampling/block-sampler.ts";
import { withDegrees } from "../../src/sampling/with-degrees.ts";
import { checkOp, expectClose } from "../support/check-op.ts";
import { randomBlock } from "../support/random-block.ts";
import * as reference from "../support/reference-ops.ts";
import { randomFloats, seededRandom } from "../support/seeded-random.ts";

const [numNodes, dim] = [30, 4];
const random = seededRandom(5);
const draw = (below: number) => Math.floor(random() * below);
// Node 29 has no edges.
const pairs = Array.from({ length: 60 }, () => [draw(numNodes - 1), draw(numNodes - 1)] as const);
const src = pairs.flatMap(([a, b]) => [a, b]);
const dst = pairs.flatMap(([a, b]) => [b, a]);
const weights = Float32Array.from(pairs.flatMap(() => Array(2).fill(0.5 + random())));

const features = randomFloats(numNodes * dim, 4);

beforeAll(() => selectBackend("native"));

/** The mean of x, Ã·x, Ã²·x … with Ã = D^-1/2·A·D^-1/2 as a full matrix. */
function formula(x: Float64Array, width: number, numHops: number, weightOf: (edge: number) => number): Float64Array {
  const matrix = new Float64Array(numNodes * numNodes);
  const degrees = new Float64Array(numNodes);
  dst.forEach((to, edge) => {
    matrix[to * numNodes + src[edge]!]! += weightOf(edge);
    degrees[to]! += weightOf(edge);
  });
  const scale = degrees.map((degree) => 1 / Math.sqrt(degree || 1));
  const scaled = matrix.map((value, i) => value * scale[Math.floor(i / numNodes)]! * scale[i % numNodes]!);
  let hop = x;
  const sum = x.slice();
  for (let k = 0; k < numHops; k++) {
    hop = reference.matMul(numNodes, numNodes, width, scaled, hop);
    hop.forEach((value, i) => {
      sum[i]! += value;
    });
  }
  return sum.map((value) => value / (numHops + 1));
}

async function inferred(numHops: number, isWeighted: boolean) {
  const shape = { inDim: dim, outDim: dim, seed: 2 };
  const model = lightGcn.create(lightGcn.options.parse({ numHops }), shape, nn);
  const graph = await graphFromEdges({ src, dst, numNodes, duplicates: "keep", ...(isWeighted && { weights }) });
  const rank = { rank: 0, worldSize: 1, localRank: 0, device: "cpu", threads: 1, collective: loopback() } as const;
  const store = new DenseFeatureStore(dim, [features]);
  const signal = new AbortController().signal;
  const before = memory().numTensors;
  const { logits } = await inferNodes(
    { model, graph, features: store, rank, signal, chunkSize: 7 },
    (_name, width) => new Float32Array(numNodes * width),
  );
  expect(memory().numTensors).toBe(before);
  return { logits, model };
}

test.each([
  [1, false],
  [3, false],
  [3, true],
])("LightGCN of %i hops is the dense formula; with weights of edges: %s", async (numHops, isWeighted) => {
  const { logits, model } = await inferred(numHops, isWeighted);
  const expected = formula(Float64Array.from(features), dim, numHops, (edge) => (isWeighted ? weights[edge]! : 1));
  expectClose(logits, expected, 1e-5);
  expect(model.variables).toEqual([]);
  expect(model.layers.map(({ outDim }) => outDim)).toEqual([...Array(numHops - 1).fill(2 * dim), dim]);
});

test.each([1, 3])(
  "all of %i hops at once, as training takes them, are the dense formula, with its gradient",
  async (numHops) => {
    const model = lightGcn.create(lightGcn.options.parse({ numHops }), { inDim: dim, outDim: dim, seed: 2 }, nn);
    const graph = await graphFromEdges({ src, dst, numNodes, duplicates: "keep", weights });
    const seeds = Int32Array.of(4, 29, 0);
    const sampler = createBlockSampler({ graph, fanouts: Array(numHops).fill(-1), replace: false, seed: 0 });
    const blocks = await withDegrees(sampler, graph).sample(seeds, { epoch: 0, step: 0 });
    const inputNodes = blocks[0]!.srcIds;
    const context = { training: true, seed: 0, epoch: 0, step: 0 };
    checkOp({
      inputs: { rows: [inputNodes.length, dim] },
      run: ({ rows }) => model.forward!(blocks, rows as Tensor2D, context),
      reference: ({ rows }) => {
        // What is out of reach has no part in the rows of the seeds.
        const all = new Float64Array(numNodes * dim);
        inputNodes.forEach((node, row) => all.set(rows.subarray(row * dim, (row + 1) * dim), node * dim));
        const expected = formula(all, dim, numHops, (edge) => weights[edge]!);
        return Float64Array.from([...seeds].flatMap((seed) => [...expected.subarray(seed * dim, (seed + 1) * dim)]));
      },
    });
  },
);

test("rows of another width than the output are refused, with the place of the learned rows", () => {
  for (const [inDim, pointer] of [
    [0, "/features/embedding"],
    [5, "/features/embedding/dim"],
  ] as const) {
    const create = () => lightGcn.create(lightGcn.options.parse({}), { inDim, outDim: dim, seed: 0 }, nn);
    expect(create).toThrow(expect.objectContaining({ code: "SPEC_INVALID", place: { pointer } }));
  }
});

test("weights of drawn edges stand for those that were not drawn", () => {
  const block = randomBlock(9, 4, 3, 2);
  const degrees = new Float32Array(9).fill(12);
  const { edgeWeights } = symmetricNorm({ ...block, srcDegrees: degrees });
  for (let node = 0; node < 4; node++) {
    const [begin, end] = [block.indptr[node]!, block.indptr[node + 1]!];
    const sum = edgeWeights!.subarray(begin, end).reduce((total, value) => total + value, 0);
    if (end > begin) expect(sum).toBeCloseTo(1, 5);
  }
});

test("a block without degrees is refused", () => {
  expect(() => symmetricNorm(randomBlock(9, 4, 3, 2))).toThrow("degrees");
});
