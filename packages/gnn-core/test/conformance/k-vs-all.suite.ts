import { beforeAll, describe, expect, test } from "vitest";
import { activeCuda } from "../../src/backends/active-cuda.ts";
import { type BackendName, type BackendOptions, selectBackend } from "../../src/backends/select-backend.ts";
import { grads, type Tensor, type Tensor2D, tensor2d, tidy } from "../../src/backends/tf.ts";
import { type KvsAllAttrs, kVsAllSum } from "../../src/ops/k-vs-all.ts";
import { checkOp } from "../support/check-op.ts";
import { randomFloats } from "../support/seeded-random.ts";

const [numQueries, numCandidates, dim] = [4, 11, 5];
const starts = Int32Array.of(0, 1, 4, 6, 7);
const targets = Int32Array.of(3, 0, 2, 8, 5, 9, 10);
/** Every query's targets are of one group. */
const groupOf = Int32Array.of(0, 1, 0, 1, 0, 1, 1, 0, 0, 1, 0);

/** The formula of the op's docstring, candidate by candidate. */
function formula({ kind, smoothing, groups }: KvsAllAttrs, queries: Float64Array, candidates: Float64Array): number {
  let total = 0;
  for (let query = 0; query < numQueries; query++) {
    const own = [...targets.subarray(starts[query], starts[query + 1])];
    const among = [...Array(numCandidates).keys()].filter(
      (node) => !groups || groups.groupOf[node] === groups.groupOf[own[0]!],
    );
    const scores = among.map((node) => {
      let score = 0;
      for (let k = 0; k < dim; k++) score += queries[query * dim + k]! * candidates[node * dim + k]!;
      return score;
    });
    const share = (1 - smoothing) / (kind === "softmax" ? own.length : 1);
    const wanted = among.map((node) => (own.includes(node) ? share : 0) + smoothing / among.length);
    total -= scores.reduce((sum, score, i) => sum + wanted[i]! * score, 0);
    if (kind === "softmax") total += Math.log(scores.reduce((sum, score) => sum + Math.exp(score), 0));
    else total += scores.reduce((sum, score) => sum + Math.log1p(Math.exp(score)), 0);
  }
  return total;
}

/** What every backend must do in the losses of targets among all candidates. */
export function kVsAllSuite(backend: BackendName, options: BackendOptions = {}): void {
  describe(`targets among all candidates on the backend ${backend}`, () => {
    beforeAll(() => selectBackend(backend, options));

    test.each([
      ["softmax", 0, false],
      ["softmax", 0.2, false],
      ["softmax", 0.3, true],
      ["binary", 0, false],
      ["binary", 0.2, true],
    ] as const)("the %s loss, smoothed by %s, is its formula, with its gradients; in groups: %s", (...given) => {
      const [kind, smoothing, isGrouped] = given;
      const groups = isGrouped ? { groupOf, numGroups: 2 } : null;
      const attrs: KvsAllAttrs = { kind, smoothing, starts, targets, groups };
      checkOp({
        inputs: { queries: [numQueries, dim], candidates: [numCandidates, dim] },
        run: ({ queries, candidates }) => kVsAllSum(queries as Tensor2D, candidates as Tensor2D, attrs),
        reference: ({ queries, candidates }) => Float64Array.of(formula(attrs, queries, candidates)),
      });
    });

    test("a device is not waited for, and starts seven kernels", () => {
      const cuda = activeCuda();
      if (!cuda) return;
      const inputs = [numQueries, numCandidates].map((rows, seed) =>
        tensor2d(randomFloats(rows * dim, seed + 1), [rows, dim]),
      );
      const attrs: KvsAllAttrs = { kind: "softmax", smoothing: 0.1, starts, targets, groups: null };
      const loss = (...given: Tensor[]) => kVsAllSum(...(given as [Tensor2D, Tensor2D]), attrs);
      const before = { ...cuda.addon.deviceCounters(), readBacks: cuda.readBacks };
      tidy(() => grads(loss)(inputs));
      const after = cuda.addon.deviceCounters();
      expect(cuda.readBacks).toBe(before.readBacks);
      expect(after.synchronizations).toBe(before.synchronizations);
      // Three products, one of rows, one sum, and two gradients times that of the loss
      expect(after.launches - before.launches).toBe(7);
    });
  });
}
