import { beforeAll, describe, test } from "vitest";
import { type BackendName, type BackendOptions, selectBackend } from "../../src/backends/select-backend.ts";
import type { Tensor2D } from "../../src/backends/tf.ts";
import type { Block } from "../../src/graph/block.ts";
import { type HeadLinearAttrs, headLinear } from "../../src/ops/head-linear.ts";
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

/** Columns of a head, and rows, of the products below */
const [inDim, outDim, numRows] = [3, 2, 4];

/** headLinear straight from the formula, in double precision. */
function multipliedHeads({ heads, from, to }: HeadLinearAttrs, x: Float64Array, w: Float64Array): Float64Array {
  const out = new Float64Array(numRows * to * heads * outDim);
  for (let v = 0; v < numRows; v++) {
    for (let h = 0; h < heads; h++) {
      for (let term = 0; term < from * inDim; term++) {
        const group = v * from + Math.floor(term / inDim);
        const value = x[(group * heads + h) * inDim + (term % inDim)]!;
        for (let j = 0; j < to * outDim; j++) {
          const at = ((v * to + Math.floor(j / outDim)) * heads + h) * outDim + (j % outDim);
          out[at]! += value * w[(h * from * inDim + term) * to * outDim + j]!;
        }
      }
    }
  }
  return out;
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

    test.each([
      { heads: 1, from: 1, to: 1 },
      { heads: 4, from: 1, to: 3 },
      { heads: 4, from: 3, to: 1 },
    ])("headLinear is its formula, and so are its gradients: %o", (shape) => {
      const { heads, from, to } = shape;
      checkOp({
        inputs: { x: [numRows * from, heads * inDim], weights: [heads * from * inDim, to * outDim] },
        run: ({ x, weights }) => headLinear(x as Tensor2D, weights as Tensor2D, heads, shape),
        reference: ({ x, weights }) => multipliedHeads(shape, x, weights),
      });
    });
  });
}
