import { beforeAll, expect, test } from "vitest";
import { selectBackend } from "../../src/backends/select-backend.ts";
import { memory } from "../../src/backends/tf.ts";
import { loopback } from "../../src/dist/loopback.ts";
import { DenseFeatureStore } from "../../src/features/dense-feature-store.ts";
import { graphFromEdges } from "../../src/graph/graph-from-edges.ts";
import { inferNodes } from "../../src/infer/infer-nodes.ts";
import { sgc } from "../../src/models/sgc.model.ts";
import { nn } from "../../src/nn/index.ts";
import type { GnnModel } from "../../src/nn/model.ts";
import { expectClose } from "../support/check-op.ts";
import * as reference from "../support/reference-ops.ts";
import { randomFloats, seededRandom } from "../support/seeded-random.ts";

const numNodes = 30;
const shape = { inDim: 6, outDim: 3, seed: 2 };
const random = seededRandom(5);
const src = Array.from({ length: 90 }, () => Math.floor(random() * numNodes));
// Node 29 has no in-edges.
const dst = Array.from({ length: 90 }, () => Math.floor(random() * (numNodes - 1)));
const features = randomFloats(numNodes * shape.inDim, 4);

beforeAll(() => selectBackend("native"));

/** Â·x with Â = D̂^-1/2·(A + I)·D̂^-1/2 as a full matrix. */
function propagate(x: Float64Array, dim: number): Float64Array {
  const matrix = new Float64Array(numNodes * numNodes);
  const degrees = new Float64Array(numNodes).fill(1);
  dst.forEach((to, edge) => {
    matrix[to * numNodes + src[edge]!]! += 1;
    degrees[to]! += 1;
  });
  for (let node = 0; node < numNodes; node++) matrix[node * numNodes + node]! += 1;
  const scaled = matrix.map(
    (value, i) => value / Math.sqrt(degrees[Math.floor(i / numNodes)]! * degrees[i % numNodes]!),
  );
  return reference.matMul(numNodes, numNodes, dim, scaled, x);
}

async function logitsOf(model: GnnModel): Promise<Float32Array> {
  const graph = await graphFromEdges({ src, dst, numNodes, duplicates: "keep" });
  const rank = { rank: 0, worldSize: 1, localRank: 0, device: "cpu", threads: 1, collective: loopback() } as const;
  const store = new DenseFeatureStore(shape.inDim, [features]);
  const signal = new AbortController().signal;
  const before = memory().numTensors;
  const { logits } = await inferNodes(
    { model, graph, features: store, rank, signal, chunkSize: 7 },
    (_name, dim) => new Float32Array(numNodes * dim),
  );
  expect(memory().numTensors).toBe(before);
  return logits;
}

const valuesOf = (model: GnnModel) =>
  model.variables.map(({ variable }) => Float64Array.from(variable.dataSync<"float32">()));
const sizeOf = (model: GnnModel) => model.variables.reduce((sum, { variable }) => sum + variable.size, 0);

test.each([1, 2, 4])("SGC of %i hops is the dense formula and has the parameters it says", async (numHops) => {
  const options = sgc.options.parse({ numHops });
  const model = sgc.create(options, shape, nn);
  const [weight, bias] = valuesOf(model) as [Float64Array, Float64Array];
  let averaged: Float64Array = Float64Array.from(features);
  for (let hop = 0; hop < numHops; hop++) averaged = propagate(averaged, 6);
  const expected = reference.addBias(reference.matMul(numNodes, 6, 3, averaged, weight), bias);
  expectClose(await logitsOf(model), expected, 1e-5);
  expect(sizeOf(model)).toBe(sgc.numParameters(options, shape));
  expect(model.layers).toHaveLength(sgc.numHops(options));
  model.dispose();
});
