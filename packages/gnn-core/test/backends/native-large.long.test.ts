import { beforeAll, expect, test } from "vitest";
import { selectBackend } from "../../src/backends/select-backend.ts";
import { grads, mul, sum, type Tensor1D, type Tensor2D, tensor, tidy } from "../../src/backends/tf.ts";
import type { FeatureRows } from "../../src/features/feature-store.ts";
import { aggregatesFirst } from "../../src/ops/aggregate-order.ts";
import { sageConv } from "../../src/ops/sage-conv.ts";
import { denseOf, randomBlock, randomCsr } from "../support/random-block.ts";
import * as reference from "../support/reference-ops.ts";
import { randomFloats } from "../support/seeded-random.ts";

// Sizes at which every kernel is cut into several chunks and row sums take all their unrolled paths.
const inDim = 37;
const outDim = 40;
const numSrc = 5000;
const names = ["x", "weightSelf", "weightNeigh", "bias"] as const;
const shapes = { x: [numSrc, inDim], weightSelf: [inDim, outDim], weightNeigh: [inDim, outDim], bias: [outDim] };
const csr = randomCsr(numSrc, inDim, 0.2, 2);
const dense: FeatureRows = { kind: "dense", numRows: numSrc, dim: inDim, values: denseOf(csr) };

beforeAll(() => selectBackend("native"));

test.each([
  ["aggregating first", randomBlock(numSrc, 3000, 14, 1), outDim, "tensor"],
  ["projecting first", randomBlock(numSrc, numSrc, 14, 2), 9, "tensor"],
  ["on dense feature rows", randomBlock(numSrc, 3000, 14, 3), outDim, "dense"],
  ["on CSR feature rows", randomBlock(numSrc, 3000, 14, 4), outDim, "csr"],
] as const)("large GraphSAGE %s: every gradient predicts a small step along it", (title, block, width, kind) => {
  expect(aggregatesFirst(block, inDim, width)).toBe(!title.startsWith("projecting"));
  const sizes = { ...shapes, weightSelf: [inDim, width], weightNeigh: [inDim, width], bias: [width] };
  const learned = kind === "tensor" ? names : names.slice(1);
  const start = Object.fromEntries(
    names.map((name, i) => [
      name,
      randomFloats(
        sizes[name].reduce((a, b) => a * b),
        30 + i,
      ),
    ]),
  ) as Record<(typeof names)[number], Float32Array>;
  if (kind !== "tensor") start.x = denseOf(csr);
  const projection = randomFloats(block.numDst * width, 50);

  const gradients = tidy(() =>
    grads((...of) => {
      const [weightSelf, weightNeigh, bias] = of.slice(-3) as [Tensor2D, Tensor2D, Tensor1D];
      const x = kind === "tensor" ? (of[0] as Tensor2D) : kind === "csr" ? csr : dense;
      const out = sageConv(block, x, { weightSelf, weightNeigh, bias }, "relu");
      return sum(mul(out, tensor(projection, [block.numDst, width])));
    })(learned.map((name) => tensor(start[name], sizes[name]))).map((each) => each.dataSync<"float32">().slice()),
  );

  const project = (arrays: Record<(typeof names)[number], Float64Array>) =>
    reference
      .relu(reference.sageConv(block, inDim, width, arrays))
      .reduce((total, value, i) => total + value * projection[i]!, 0);
  const exact = () =>
    Object.fromEntries(names.map((name) => [name, Float64Array.from(start[name])])) as Record<
      (typeof names)[number],
      Float64Array
    >;
  for (const [i, name] of learned.entries()) {
    const gradient = gradients[i]!;
    const norm = Math.sqrt(gradient.reduce((total, value) => total + value * value, 0));
    const along = (step: number) => {
      const arrays = exact();
      arrays[name] = arrays[name].map((value, at) => value + (step * gradient[at]!) / norm);
      return project(arrays);
    };
    // The derivative along the gradient's own direction is its norm: any wrong element makes it smaller or larger.
    // A step of 1e-5 moves few pre-activations over the ReLU's kink, and each by no more than the step.
    expect((along(1e-5) - along(-1e-5)) / 2e-5 / norm).toBeCloseTo(1, 3);
  }
});
