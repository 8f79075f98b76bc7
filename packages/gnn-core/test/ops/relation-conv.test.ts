import { beforeAll, describe, expect, test } from "vitest";
import { selectBackend } from "../../src/backends/select-backend.ts";
import { grads, square, sum, type Tensor, type Tensor2D, tensor2d, tidy } from "../../src/backends/tf.ts";
import { DenseFeatureStore } from "../../src/features/dense-feature-store.ts";
import { composeRelationConv, relationConv } from "../../src/ops/relation-conv.ts";
import { areSumsSmaller } from "../../src/ops/sparse-relation-sums.ts";
import { relationSuite } from "../conformance/relation.suite.ts";
import { expectClose } from "../support/check-op.ts";
import { denseOf, randomBlock, randomCsr, typed } from "../support/random-block.ts";
import { randomFloats } from "../support/seeded-random.ts";

const numRelations = 3;
const [inDim, outDim] = [5, 4];

relationSuite("cpu");
relationSuite("native");

describe("the fused kernel", () => {
  beforeAll(() => selectBackend("native"));
  const block = typed(randomBlock(900, 700, 9, 4));
  const weights = () => tensor2d(randomFloats(numRelations * inDim * outDim, 2), [numRelations * inDim, outDim]);
  const options = { numRelations, reduce: "mean" } as const;

  test("gives what the composition of other ops gives, gradients too, over several chunks of rows", () => {
    const x = tensor2d(randomFloats(block.numSrc * inDim, 1), [block.numSrc, inDim]);
    const w = weights();
    const runWith = (op: typeof relationConv) => {
      const out = op(block, x, w, options);
      const gradients = grads((a: Tensor, b: Tensor) => sum(op(block, a as Tensor2D, b as Tensor2D, options)))([x, w]);
      return [out, ...gradients].map((each) => each.dataSync<"float32">());
    };
    const [fused, composed] = [runWith(relationConv), runWith(composeRelationConv)];
    fused.forEach((values, i) => expectClose(values, composed[i]!, 1e-4));
  });

  test("reads stored rows in place and CSR rows projected, with one result", async () => {
    const csr = randomCsr(block.numSrc, inDim, 0.5, 3);
    const values = denseOf(csr);
    const store = new DenseFeatureStore(inDim, [values]);
    const rows = await store.gatherAsync(Int32Array.from({ length: block.numSrc }, (_, i) => i));
    const w = weights();
    const expected = tidy(() => relationConv(block, tensor2d(values, [block.numSrc, inDim]), w, options).dataSync());
    for (const input of [rows, csr]) {
      expectClose(
        tidy(() => relationConv(block, input, w, options).dataSync()),
        expected,
        1e-5,
      );
    }
  });

  test.each([
    ["few entries, added up by relation first", 0.05, true],
    ["many, multiplied first", 0.6, false],
  ])("CSR rows of %s: what dense rows give, means and sums, and their gradients", (_, density, isSmaller) => {
    const csr = randomCsr(block.numSrc, inDim, density, 3);
    expect(areSumsSmaller(block, csr, numRelations)).toBe(isSmaller);
    const w = weights();
    for (const reduce of ["mean", "sum"] as const) {
      const runWith = (x: typeof csr | Tensor2D) => {
        const run = (a: Tensor) => relationConv(block, x, a as Tensor2D, { numRelations, reduce });
        const squares = (a: Tensor) => sum(square(run(a)));
        return [run(w), ...grads((a: Tensor) => squares(a))([w])].map((each) => each.dataSync<"float32">());
      };
      const [sparse, dense] = [runWith(csr), runWith(tensor2d(denseOf(csr), [block.numSrc, inDim]))];
      sparse.forEach((values, i) => expectClose(values, dense[i]!, 1e-3));
    }
  });

  test("a block without types is a SHAPE_MISMATCH, as are weights for other columns and types beyond the relations", () => {
    const { types: _, ...plain } = block;
    const x = tensor2d(randomFloats(block.numSrc * inDim, 1), [block.numSrc, inDim]);
    const mismatch = expect.objectContaining({ code: "SHAPE_MISMATCH" });
    expect(() => relationConv(plain, x, weights(), options)).toThrow(mismatch);
    expect(() => relationConv(block, x, weights(), { ...options, numRelations: 2 })).toThrow(mismatch);
    const two = tensor2d(randomFloats(2 * inDim * outDim, 2), [2 * inDim, outDim]);
    expect(() => relationConv(block, x, two, { ...options, numRelations: 2 })).toThrow(mismatch);
  });
});
