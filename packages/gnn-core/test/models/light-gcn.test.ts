import { beforeAll, expect, test } from "vitest";
import { selectBackend } from "../../src/backends/select-backend.ts";
import { memory } from "../../src/backends/tf.ts";
import { loopback } from "../../src/dist/loopback.ts";
import { DenseFeatureStore } from "../../src/features/dense-feature-store.ts";
import { graphFromEdges } from "../../src/graph/graph-from-edges.ts";
import { inferNodes } from "../../src/infer/infer-nodes.ts";
import { lightGcn } from "../../src/models/light-gcn.model.ts";
import { nn } from "../../src/nn/index.ts";
import { symmetricNorm } from "../../src/ops/symmetric-norm.ts";
import { expectClose } from "../support/check-op.ts";
import { randomBlock } from "../support/random-block.ts";
import * as reference from "../support/reference-ops.ts";
import { randomFloats, seededRandom } from "../support/seeded-random.ts";

const numNodes = 30;
const random = seededRandom(5);
const draw = (below: number) => Math.floor(random() * below);
// Node 29 has no edges.
const pairs = Array.from({ length: 60 }, () => [draw(numNodes - 1), draw(numNodes - 1)] as const);
const src = pairs.flatMap(([a, b]) => [a, b]);
const dst = pairs.flatMap(([a, b]) => [b, a]);
const weights = Float32Array.from(pairs.flatMap(() => Array(2).fill(0.5 + random())));

beforeAll(() => selectBackend("native"));

/** The mean of x, Ã·x, Ã²·x … with Ã = D^-1/2·A·D^-1/2 as a full matrix. */
function formula(x: Float64Array, dim: number, numHops: number, weightOf: (edge: number) => number): Float64Array {
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
    hop = reference.matMul(numNodes, numNodes, dim, scaled, hop);
    hop.forEach((value, i) => {
      sum[i]! += value;
    });
  }
  return sum.map((value) => value / (numHops + 1));
}

test.each([
  [1, 4, false],
  [3, 4, false],
  [3, 4, true],
  [2, 6, false],
])(
  "LightGCN of %i hops from %i columns is the dense formula; with weights of edges: %s",
  async (numHops, inDim, isWeighted) => {
    const options = lightGcn.options.parse({ numHops });
    const shape = { inDim, outDim: 4, seed: 2 };
    const model = lightGcn.create(options, shape, nn);
    const features = randomFloats(numNodes * inDim, 4);
    const graph = await graphFromEdges({ src, dst, numNodes, duplicates: "keep", ...(isWeighted && { weights }) });
    const rank = { rank: 0, worldSize: 1, localRank: 0, device: "cpu", threads: 1, collective: loopback() } as const;
    const before = memory().numTensors;
    const { logits } = await inferNodes(
      {
        model,
        graph,
        features: new DenseFeatureStore(inDim, [features]),
        rank,
        signal: new AbortController().signal,
        chunkSize: 7,
      },
      (_name, dim) => new Float32Array(numNodes * dim),
    );
    expect(memory().numTensors).toBe(before);
    const values = model.variables.map(({ variable }) => Float64Array.from(variable.dataSync<"float32">()));
    const start = values[0]
      ? reference.matMul(numNodes, inDim, 4, Float64Array.from(features), values[0])
      : Float64Array.from(features);
    expectClose(
      logits,
      formula(start, 4, numHops, (edge) => (isWeighted ? weights[edge]! : 1)),
      1e-5,
    );
    const size = model.variables.reduce((sum, { variable }) => sum + variable.size, 0);
    expect(size).toBe(lightGcn.numParameters(options, shape));
    expect(model.layers.map(({ outDim }) => outDim)).toEqual([...Array(numHops - 1).fill(8), 4]);
    model.dispose();
  },
);

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
