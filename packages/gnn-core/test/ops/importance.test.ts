import { beforeAll, describe, expect, test } from "vitest";
import { selectBackend } from "../../src/backends/select-backend.ts";
import { type Tensor1D, type Tensor2D, tensor1d, tensor2d, tidy } from "../../src/backends/tf.ts";
import type { Block } from "../../src/graph/block.ts";
import { gcnNorm } from "../../src/ops/gcn-norm.ts";
import { updateAll } from "../../src/ops/message-passing.ts";
import { sageConv } from "../../src/ops/sage-conv.ts";
import { spmmMean } from "../../src/ops/spmm.ts";
import { checkOp, expectClose } from "../support/check-op.ts";
import { denseOf, randomBlock, randomCsr } from "../support/random-block.ts";
import { randomFloats } from "../support/seeded-random.ts";

const numSrc = 30;
const numDst = 11;
const inDim = 5;

function weighted(block: Block): Block {
  const count = block.indices.length;
  return { ...block, importance: { sum: randomFloats(count, 1), mean: randomFloats(count, 2) } };
}
const block = weighted(randomBlock(numSrc, numDst, 6, 8));

/** Σ_e w_e·x_u per dst row, in double precision. */
function weightedSums(weights: ArrayLike<number>, x: Float64Array, dim: number): Float64Array {
  const out = new Float64Array(numDst * dim);
  for (let v = 0; v < numDst; v++) {
    for (let e = block.indptr[v]!; e < block.indptr[v + 1]!; e++) {
      for (let d = 0; d < dim; d++) out[v * dim + d]! += weights[e]! * x[block.indices[e]! * dim + d]!;
    }
  }
  return out;
}

function layer(x: Float64Array, outDim: number, self: Float64Array, neigh: Float64Array, bias: Float64Array) {
  const mean = weightedSums(block.importance!.mean, x, inDim);
  return Float64Array.from({ length: numDst * outDim }, (_, at) => {
    const v = Math.floor(at / outDim);
    const o = at % outDim;
    let sum = bias[o]!;
    for (let d = 0; d < inDim; d++) {
      sum += x[v * inDim + d]! * self[d * outDim + o]! + mean[v * inDim + d]! * neigh[d * outDim + o]!;
    }
    return Math.max(0, sum);
  });
}

describe.each(["native", "cpu"] as const)("a block with importance weights, on %s", (backend) => {
  beforeAll(() => selectBackend(backend));

  test("the mean is the weighted sum with its `mean` weights", () =>
    checkOp({
      inputs: { x: [numSrc, inDim] },
      run: ({ x }) => spmmMean(block, x as Tensor2D),
      reference: ({ x }) => weightedSums(block.importance!.mean, x, inDim),
    }));

  test("messages of a function of one's own are averaged with the same weights", () =>
    checkOp({
      inputs: { x: [numSrc, inDim] },
      run: ({ x }) => updateAll(block, { src: x as Tensor2D }, ({ src }) => src!, "mean"),
      reference: ({ x }) => weightedSums(block.importance!.mean, x, inDim),
    }));

  test.each([3, 12])("GraphSAGE to %d columns is the formula with that mean", (outDim) =>
    checkOp({
      inputs: { x: [numSrc, inDim], self: [inDim, outDim], neigh: [inDim, outDim], bias: [outDim] },
      run: ({ x, self, neigh, bias }) =>
        sageConv(
          block,
          x as Tensor2D,
          { weightSelf: self as Tensor2D, weightNeigh: neigh as Tensor2D, bias: bias as Tensor1D },
          "relu",
        ),
      reference: ({ x, self, neigh, bias }) => layer(x, outDim, self, neigh, bias),
    }),
  );

  test("GraphSAGE takes sparse feature rows as it takes dense ones", () => {
    const rows = randomCsr(numSrc, inDim, 0.4, 6);
    const self = randomFloats(inDim * 4, 3);
    const neigh = randomFloats(inDim * 4, 4);
    const bias = randomFloats(4, 5);
    const out = tidy(() => {
      const weightSelf = tensor2d(self, [inDim, 4]);
      const weightNeigh = tensor2d(neigh, [inDim, 4]);
      return sageConv(block, rows, { weightSelf, weightNeigh, bias: tensor1d(bias) }, "relu").dataSync<"float32">();
    });
    const arrays = [denseOf(rows), self, neigh, bias].map((values) => Float64Array.from(values));
    expectClose(out, layer(arrays[0]!, 4, arrays[1]!, arrays[2]!, arrays[3]!), 2e-5);
  });
});

test("GCN multiplies each edge by its `sum` weight instead of rescaling what was drawn", () => {
  const srcDegrees = randomFloats(numSrc, 9).map((value) => Math.round(5 * value + 6));
  const weights = randomFloats(block.indices.length, 10).map((value) => value + 2);
  const { edgeWeights, selfWeights } = gcnNorm({ ...block, srcDegrees, weights });
  const root = (row: number) => Math.sqrt(srcDegrees[row]! + 1);
  for (let v = 0; v < numDst; v++) {
    expect(selfWeights![v]).toBeCloseTo(1 / root(v) ** 2, 5);
    for (let e = block.indptr[v]!; e < block.indptr[v + 1]!; e++) {
      const expected = (weights[e]! * block.importance!.sum[e]!) / (root(v) * root(block.indices[e]!));
      expect(edgeWeights![e]).toBeCloseTo(expected, 5);
    }
  }
});
