import { beforeAll, describe, expect, test } from "vitest";
import { selectBackend } from "../../src/backends/select-backend.ts";
import { grads, sum, type Tensor, type Tensor2D, tensor2d, tidy } from "../../src/backends/tf.ts";
import { DenseFeatureStore } from "../../src/features/dense-feature-store.ts";
import type { Block } from "../../src/graph/block.ts";
import { composeRelationConv, type RelationReduce, relationConv } from "../../src/ops/relation-conv.ts";
import { checkOp, expectClose } from "../support/check-op.ts";
import { blockOf, denseOf, randomBlock, randomCsr } from "../support/random-block.ts";
import { randomFloats } from "../support/seeded-random.ts";

const numRelations = 3;
const [inDim, outDim] = [5, 4];

/** Edges of relation 1 are rare, those of relation 2 come first: the kernel needs no order. */
function typed(block: Block): Block {
  return { ...block, types: block.indices.map((src, e) => (e % 7 === 0 ? 1 : src % 2 === 0 ? 2 : 0)) };
}

const blocks: readonly (readonly [string, Block])[] = [
  ["an irregular block with rows of degree 0", typed(blockOf(7, [[1, 2, 6], [], [0, 3, 4, 5, 5], [2]]))],
  ["degrees up to 11", typed(randomBlock(31, 17, 11, 3))],
  ["edges of one relation alone", { ...blockOf(4, [[0, 1], [3]]), types: Int32Array.of(1, 1, 1) }],
  ["no edge at all", typed(blockOf(5, [[], [], []]))],
];

/** Straight from the formula, in double precision. */
function bruteForce(
  { numDst, indptr, indices, types }: Block,
  reduce: RelationReduce,
  x: Float64Array,
  w: Float64Array,
) {
  const out = new Float64Array(numDst * outDim);
  for (let v = 0; v < numDst; v++) {
    const edges = Array.from({ length: indptr[v + 1]! - indptr[v]! }, (_, i) => indptr[v]! + i);
    for (let r = 0; r < numRelations; r++) {
      const own = edges.filter((e) => types![e] === r);
      for (const e of own) {
        for (let i = 0; i < inDim; i++) {
          const value = x[indices[e]! * inDim + i]! / (reduce === "mean" ? own.length : 1);
          for (let j = 0; j < outDim; j++) out[v * outDim + j]! += value * w[(r * inDim + i) * outDim + j]!;
        }
      }
    }
  }
  return out;
}

describe.each(["cpu", "native"] as const)("aggregation by relation on the backend %s", (name) => {
  beforeAll(() => selectBackend(name));

  describe.each(blocks)("on %s", (_title, block) => {
    test.each(["mean", "sum"] as const)("is its formula, and so are its gradients, of the %s", (reduce) => {
      checkOp({
        inputs: { x: [block.numSrc, inDim], weights: [numRelations * inDim, outDim] },
        run: ({ x, weights }) => relationConv(block, x as Tensor2D, weights as Tensor2D, { numRelations, reduce }),
        reference: ({ x, weights }) => bruteForce(block, reduce, x, weights),
      });
    });
  });
});

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
