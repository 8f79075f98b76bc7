import { beforeAll, expect, test } from "vitest";
import { selectBackend } from "../../src/backends/select-backend.ts";
import { memory, tensor2d, tidy } from "../../src/backends/tf.ts";
import { loopback } from "../../src/dist/loopback.ts";
import { DenseFeatureStore } from "../../src/features/dense-feature-store.ts";
import type { CscGraph } from "../../src/graph/csc-graph.ts";
import { graphFromEdges } from "../../src/graph/graph-from-edges.ts";
import { inferNodes } from "../../src/infer/infer-nodes.ts";
import { gcn } from "../../src/models/gcn.model.ts";
import { nn } from "../../src/nn/index.ts";
import { gcnNorm } from "../../src/ops/gcn-norm.ts";
import { weightedSpmm } from "../../src/ops/weighted-spmm.ts";
import { createBlockSampler } from "../../src/sampling/block-sampler.ts";
import { withDegrees } from "../../src/sampling/with-degrees.ts";
import { expectClose } from "../support/check-op.ts";
import { blockOf } from "../support/random-block.ts";
import * as reference from "../support/reference-ops.ts";
import { randomFloats, seededRandom } from "../support/seeded-random.ts";

const numNodes = 40;
const random = seededRandom(5);
const edges = Array.from({ length: 160 }, () => [random(), random()].map((at) => Math.floor(at * numNodes)));
// Node 39 has no in-edges.
const src = edges.map(([from]) => from!);
const dst = edges.map(([, to]) => Math.min(to!, 38));
const weights = randomFloats(160, 3).map((value) => value + 1.5);

beforeAll(() => selectBackend("native"));

const graphOf = (weighted: boolean): Promise<CscGraph> =>
  graphFromEdges({ src, dst, numNodes, duplicates: "keep", ...(weighted && { weights }) });

/** D̂^-1/2·(A + I)·D̂^-1/2 as a full matrix, row = dst. */
function normalisedAdjacency(weighted: boolean): Float64Array {
  const matrix = new Float64Array(numNodes * numNodes);
  dst.forEach((to, edge) => {
    matrix[to * numNodes + src[edge]!]! += weighted ? weights[edge]! : 1;
  });
  for (let node = 0; node < numNodes; node++) matrix[node * numNodes + node]! += 1;
  const degrees = Array.from({ length: numNodes }, (_, node) =>
    matrix.subarray(node * numNodes, (node + 1) * numNodes).reduce((sum, value) => sum + value, 0),
  );
  return matrix.map((value, i) => value / Math.sqrt(degrees[Math.floor(i / numNodes)]! * degrees[i % numNodes]!));
}

test.each([false, true])("layer-wise inference is the dense formula (edge weights: %s)", async (weighted) => {
  const graph = await graphOf(weighted);
  const features = randomFloats(numNodes * 6, 4);
  const model = gcn.create(gcn.options.parse({ hiddenFeats: 9 }), { inDim: 6, outDim: 3, seed: 2 }, nn);
  const values = model.variables.map(({ variable }) => Float64Array.from(variable.dataSync<"float32">()));
  const adjacency = normalisedAdjacency(weighted);
  const layer = (x: Float64Array, inDim: number, outDim: number, weight: Float64Array, bias: Float64Array) =>
    reference.addBias(
      reference.matMul(numNodes, inDim, outDim, reference.matMul(numNodes, numNodes, inDim, adjacency, x), weight),
      bias,
    );
  const hidden = reference.relu(layer(Float64Array.from(features), 6, 9, values[0]!, values[1]!));
  const expected = layer(hidden, 9, 3, values[2]!, values[3]!);

  const before = memory().numTensors;
  for (const chunkSize of [7, 1000]) {
    const rank = { rank: 0, worldSize: 1, localRank: 0, device: "cpu", threads: 1, collective: loopback() } as const;
    const store = new DenseFeatureStore(6, [features]);
    const signal = new AbortController().signal;
    const { embeddings, logits } = await inferNodes(
      { model, graph, features: store, rank, signal, chunkSize },
      (_name, dim) => new Float32Array(numNodes * dim),
    );
    expectClose(embeddings, hidden, 1e-5);
    expectClose(logits, expected, 1e-5);
  }
  expect(memory().numTensors).toBe(before);
  model.dispose();
});

test("the sum over sampled neighbours is an unbiased estimate of the sum over all", async () => {
  const graph = await graphOf(false);
  const x = randomFloats(numNodes, 7);
  const adjacency = normalisedAdjacency(false);
  const exact = reference.matMul(numNodes, numNodes, 1, adjacency, Float64Array.from(x));
  const sampler = withDegrees(createBlockSampler({ graph, fanouts: [2], replace: false, seed: 1 }), graph);
  const seeds = Int32Array.from({ length: numNodes }, (_, node) => node);
  const sums = new Float64Array(numNodes);
  const squares = new Float64Array(numNodes);
  const numDraws = 2000;
  for (let step = 0; step < numDraws; step++) {
    const [block] = await sampler.sample(seeds, { epoch: 0, step });
    const out = tidy(() => {
      const rows = tensor2d(
        Float32Array.from(block!.srcIds, (id: number) => x[id]!),
        [block!.numSrc, 1],
      );
      return weightedSpmm(block!, rows, gcnNorm(block!)).dataSync<"float32">();
    });
    out.forEach((value, node) => {
      sums[node]! += value;
      squares[node]! += value * value;
    });
  }
  for (let node = 0; node < numNodes; node++) {
    const average = sums[node]! / numDraws;
    const deviation = Math.sqrt(Math.max(0, squares[node]! / numDraws - average ** 2) / numDraws);
    expect(Math.abs(average - exact[node]!)).toBeLessThan(4.5 * deviation + 1e-5);
  }
});

test("a batch without seeds gives no rows, and a block without degrees is refused with what to do", () => {
  const model = gcn.create(gcn.options.parse({ numLayers: 1 }), { inDim: 2, outDim: 3, seed: 2 }, nn);
  const context = { training: false, seed: 0, epoch: 0, step: 0 };
  const run = (block: ReturnType<typeof blockOf>) =>
    tidy(() => {
      const out = model.layers[0]!.forward(
        block,
        tensor2d(new Float32Array(2 * block.numSrc), [block.numSrc, 2]),
        context,
      );
      return out.shape;
    });
  expect(run({ ...blockOf(0, []), srcDegrees: new Float32Array(0) })).toEqual([0, 3]);
  expect(() => run(blockOf(3, [[1], []]))).toThrow(
    expect.objectContaining({ code: "SHAPE_MISMATCH", message: expect.stringContaining("withDegrees") }),
  );
  model.dispose();
});
