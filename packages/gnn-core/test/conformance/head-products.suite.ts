import { beforeAll, describe, test } from "vitest";
import { type BackendName, type BackendOptions, selectBackend } from "../../src/backends/select-backend.ts";
import type { Tensor2D } from "../../src/backends/tf.ts";
import type { Block } from "../../src/graph/block.ts";
import { headDot, headSum } from "../../src/ops/head-products.ts";
import { checkOp } from "../support/check-op.ts";
import { blockOf, randomBlock } from "../support/random-block.ts";

const blocks: readonly (readonly [string, Block])[] = [
  ["an irregular block with rows of degree 0", blockOf(7, [[1, 2, 6], [], [0, 3, 4, 5, 5], [2]])],
  ["more dst rows than src rows", blockOf(2, [[0], [1, 0], [], [1]])],
  ["degrees up to 9", randomBlock(12, 8, 9, 3)],
];
const dim = 3;

/** Visits every edge with its rows. */
function forEdges({ numDst, indptr, indices }: Block, visit: (edge: number, src: number, dst: number) => void): void {
  for (let v = 0; v < numDst; v++) for (let e = indptr[v]!; e < indptr[v + 1]!; e++) visit(e, indices[e]!, v);
}

/** What every backend must do in sums and products over edges of several heads: each op and its gradients. */
export function headProductsSuite(name: BackendName, options?: BackendOptions): void {
  describe(`heads over edges on the backend ${name}`, () => {
    beforeAll(() => selectBackend(name, options));

    describe.each(blocks)("on %s", (_title, block) => {
      const numEdges = block.indices.length;

      test.each([1, 4])("headSum is its formula, and so are its gradients, of %d heads", (heads) => {
        const width = heads * dim;
        checkOp({
          inputs: { x: [block.numSrc, width], weights: [numEdges, heads] },
          run: ({ x, weights }) => headSum(block, x as Tensor2D, weights as Tensor2D),
          reference: ({ x, weights }) => {
            const out = new Float64Array(block.numDst * width);
            forEdges(block, (e, u, v) => {
              for (let c = 0; c < width; c++) {
                out[v * width + c]! += weights[e * heads + Math.floor(c / dim)]! * x[u * width + c]!;
              }
            });
            return out;
          },
        });
      });

      test.each([1, 4])("headDot is its formula, and so are its gradients, of %d heads", (heads) => {
        const width = heads * dim;
        checkOp({
          inputs: { x: [block.numSrc, width], y: [block.numDst, width] },
          run: ({ x, y }) => headDot(block, x as Tensor2D, y as Tensor2D, heads),
          reference: ({ x, y }) => {
            const out = new Float64Array(numEdges * heads);
            forEdges(block, (e, u, v) => {
              for (let c = 0; c < width; c++) {
                out[e * heads + Math.floor(c / dim)]! += x[u * width + c]! * y[v * width + c]!;
              }
            });
            return out;
          },
        });
      });
    });
  });
}
