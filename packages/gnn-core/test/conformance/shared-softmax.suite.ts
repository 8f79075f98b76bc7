import { beforeAll, describe, expect, test } from "vitest";
import { activeCuda } from "../../src/backends/active-cuda.ts";
import { type BackendName, type BackendOptions, selectBackend } from "../../src/backends/select-backend.ts";
import { grads, type Tensor, type Tensor2D, tensor2d, tidy } from "../../src/backends/tf.ts";
import { bpr } from "../../src/links/losses/bpr.ts";
import { leftOut } from "../../src/ops/left-out.ts";
import { scatterRows } from "../../src/ops/scatter-rows.ts";
import { type SharedSoftmaxAttrs, sharedSoftmaxSum } from "../../src/ops/shared-softmax.ts";
import { checkOp } from "../support/check-op.ts";
import { randomFloats } from "../support/seeded-random.ts";

const [numQueries, numCandidates, dim] = [4, 9, 5];
/** One query has all candidates, one none of them. */
const lists = [[0, 3], [], [8], [0, 1, 2, 3, 4, 5, 6, 7, 8]];
const attrs: SharedSoftmaxAttrs = {
  starts: Int32Array.from({ length: lists.length + 1 }, (_, i) => lists.slice(0, i).flat().length),
  left: Int32Array.from(lists.flat()),
};

/** What every backend must do in the losses of links that share what they are told from. */
export function sharedSoftmaxSuite(backend: BackendName, options: BackendOptions = {}): void {
  describe(`shared candidates on the backend ${backend}`, () => {
    beforeAll(() => selectBackend(backend, options));

    test("the softmax is its formula, with its gradients", () => {
      checkOp({
        inputs: { queries: [numQueries, dim], own: [numQueries, dim], candidates: [numCandidates, dim] },
        run: ({ queries, own, candidates }) =>
          sharedSoftmaxSum(queries as Tensor2D, own as Tensor2D, candidates as Tensor2D, attrs),
        reference: ({ queries, own, candidates }) => {
          const score = (i: number, rows: Float64Array, row: number) =>
            [0, 1, 2, 3, 4].reduce((total, k) => total + queries[i * dim + k]! * rows[row * dim + k]!, 0);
          let total = 0;
          for (let i = 0; i < numQueries; i++) {
            const among = [...Array(numCandidates).keys()].filter((v) => !lists[i]!.includes(v));
            const scores = [score(i, own, i), ...among.map((v) => score(i, candidates, v))];
            total += Math.log(scores.reduce((all, s) => all + Math.exp(s), 0)) - scores[0]!;
          }
          return Float64Array.of(total);
        },
      });
    });

    test("scores that are left out count nothing in a loss, nor do their gradients", () => {
      const positives = () => tensor2d([1, 2, 3, 4], [numQueries, 1]);
      const loss = bpr();
      checkOp({
        inputs: { scores: [numQueries, numCandidates] },
        run: ({ scores }) => tidy(() => loss(positives(), leftOut(scores as Tensor2D, attrs))),
        reference: ({ scores }) => {
          let total = 0;
          for (let i = 0; i < numQueries; i++) {
            for (let v = 0; v < numCandidates; v++) {
              if (lists[i]!.includes(v)) continue;
              total += Math.log1p(Math.exp(scores[i * numCandidates + v]! - (i + 1))) / numCandidates;
            }
          }
          return Float64Array.of(total);
        },
      });
    });

    test("rows are added up where they go to, and others are 0", () => {
      const values = tidy(() => {
        const given = tensor2d([1, 2, 10, 20, 100, 200], [3, 2]);
        return scatterRows(given, Int32Array.of(3, 0, 3), 5).arraySync();
      });
      expect(values).toEqual([
        [10, 20],
        [0, 0],
        [0, 0],
        [101, 202],
        [0, 0],
      ]);
    });

    test("a device is not waited for, and starts eight kernels", () => {
      const cuda = activeCuda();
      if (!cuda) return;
      const { synchronizations, launches } = cuda.addon.deviceCounters();
      const before = cuda.readBacks;
      tidy(() => {
        const inputs = [numQueries, numQueries, numCandidates].map((rows, seed) =>
          tensor2d(randomFloats(rows * dim, seed + 1), [rows, dim]),
        ) as [Tensor2D, Tensor2D, Tensor2D];
        const loss = (...given: Tensor[]) => sharedSoftmaxSum(...(given as [Tensor2D, Tensor2D, Tensor2D]), attrs);
        return grads(loss)(inputs);
      });
      expect(cuda.readBacks).toBe(before);
      const after = cuda.addon.deviceCounters();
      expect(after.synchronizations).toBe(synchronizations);
      // Three products, one of rows, one sum, and three gradients times that of the loss
      expect(after.launches - launches).toBe(8);
    });
  });
}
