import { beforeAll, describe, test } from "vitest";
import { type BackendName, type BackendOptions, selectBackend } from "../../src/backends/select-backend.ts";
import type { Tensor2D } from "../../src/backends/tf.ts";
import type { Block } from "../../src/graph/block.ts";
import { type RelationReduce, relationConv } from "../../src/ops/relation-conv.ts";
import { checkOp } from "../support/check-op.ts";
import { blockOf, randomBlock, typed } from "../support/random-block.ts";

const numRelations = 3;
const [inDim, outDim] = [5, 4];

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

/** What every backend must do in aggregation by relation: the op and its gradients. */
export function relationSuite(name: BackendName, options?: BackendOptions): void {
  describe(`aggregation by relation on the backend ${name}`, () => {
    beforeAll(() => selectBackend(name, options));

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
}
