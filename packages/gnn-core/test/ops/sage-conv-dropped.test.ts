import { beforeAll, expect, test } from "vitest";
import { selectBackend } from "../../src/backends/select-backend.ts";
import { grads, memory, type Tensor, type Tensor2D, tensor1d, tensor2d, tidy } from "../../src/backends/tf.ts";
import { dropout } from "../../src/ops/dropout.ts";
import { type SageWeights, sageConv, sageConvDropped } from "../../src/ops/sage-conv.ts";
import { randomBlock } from "../support/random-block.ts";
import { randomFloats } from "../support/seeded-random.ts";

const numSrc = 120;
const numDst = 50;
const inDim = 24;
const block = randomBlock(numSrc, numDst, 5, 3);
const key = { seed: 4, layer: 1, epoch: 2, step: 3 };

beforeAll(() => selectBackend("native"));

type Layer = (x: Tensor2D, weights: SageWeights) => Tensor2D;

/** The layer's values, and the gradients of x, both weights and bias. */
function run(layer: Layer, outDim: number): Float32Array[] {
  const inputs = [
    tensor2d(randomFloats(numSrc * inDim, 1), [numSrc, inDim]),
    tensor2d(randomFloats(inDim * outDim, 2), [inDim, outDim]),
    tensor2d(randomFloats(inDim * outDim, 3), [inDim, outDim]),
    tensor1d(randomFloats(outDim, 4)),
  ];
  const forward = (...[x, weightSelf, weightNeigh, bias]: Tensor[]) =>
    layer(x as Tensor2D, { weightSelf, weightNeigh, bias } as unknown as SageWeights);
  const out = forward(...inputs);
  const dy = tensor2d(randomFloats(numDst * outDim, 5), [numDst, outDim]);
  const all: Tensor[] = [out, ...grads(forward)(inputs, dy)];
  const values = all.map((tensor) => tensor.dataSync<"float32">().slice());
  for (const tensor of [...all, ...inputs, dy]) tensor.dispose();
  return values;
}

test.each([
  ["sums first", 40, "relu", 0.5],
  ["projects first", 3, "relu", 0.3],
  ["without activation", 24, "none", 0.9],
  ["drops nothing", 8, "relu", 0],
] as const)(
  "%s: a layer that drops its input has the bits of dropout and layer, forward and backward",
  (...options) => {
    const [, outDim, activation, rate] = options;
    const before = memory().numTensors;
    const fused = run((x, weights) => sageConvDropped(block, x, weights, activation, { rate, key }), outDim);
    const apart = run(
      (x, weights) => tidy(() => sageConv(block, dropout(x, block.srcIds, rate, key), weights, activation)),
      outDim,
    );
    expect(fused).toEqual(apart);
    expect(fused[1]!.filter((value) => value === 0).length / (numSrc * inDim)).toBeGreaterThan(rate * 0.9);
    expect(memory().numTensors).toBe(before);
  },
);

test.each([
  ["sums first", 40, false],
  ["projects first", 3, false],
  ["sums first, behind edges with weights", 40, true],
] as const)(
  "%s: behind a layer with ReLU the same bits come from dropping in the rows' own memory",
  (_name, outDim, isWeighted) => {
    const plain = randomBlock(numSrc, numSrc, 5, 6);
    const weights = randomFloats(plain.indices.length, 10);
    const importance = { sum: weights, mean: weights };
    const before = isWeighted ? { ...plain, importance } : plain;
    const first = firstWeights();
    // The rows come out of a layer, whose gradient asks them for nothing but their signs.
    const behind = (inPlace: boolean) =>
      run(
        (x, weights) =>
          tidy(() => {
            const rows = sageConv(before, x, first, "relu");
            return sageConvDropped(block, rows, weights, "relu", { rate: 0.5, key, inPlace });
          }),
        outDim,
      );
    expect(behind(true)).toEqual(behind(false));
    for (const weight of Object.values(first)) weight.dispose();
  },
);

function firstWeights(): SageWeights {
  return {
    weightSelf: tensor2d(randomFloats(inDim * inDim, 7), [inDim, inDim]),
    weightNeigh: tensor2d(randomFloats(inDim * inDim, 8), [inDim, inDim]),
    bias: tensor1d(randomFloats(inDim, 9)),
  };
}
