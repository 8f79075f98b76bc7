import { afterAll, describe, expect, test } from "vitest";
import { loadAddon } from "../../src/backends/native/addon.ts";
import { selectBackend } from "../../src/backends/select-backend.ts";
import { grads, type Tensor, type Tensor2D, tensor2d, tidy } from "../../src/backends/tf.ts";
import { type SharedSoftmaxAttrs, sharedSoftmaxSum } from "../../src/ops/shared-softmax.ts";
import { checkOp } from "../support/check-op.ts";
import { randomFloats } from "../support/seeded-random.ts";

afterAll(() => loadAddon().setThreads(1));

const [numQueries, numCandidates, dim] = [4, 9, 5];
/** One query has all candidates, one none of them. */
const left = [[0, 3], [], [8], [0, 1, 2, 3, 4, 5, 6, 7, 8]];
const attrsOf = (lists: readonly (readonly number[])[]): SharedSoftmaxAttrs => ({
  starts: Int32Array.from({ length: lists.length + 1 }, (_, i) => lists.slice(0, i).flat().length),
  left: Int32Array.from(lists.flat()),
});

describe.each(["native", "cpu"] as const)("on the backend %s", (backend) => {
  test("the loss is its formula, with its gradients", async () => {
    await selectBackend(backend);
    checkOp({
      inputs: { queries: [numQueries, dim], own: [numQueries, dim], candidates: [numCandidates, dim] },
      run: ({ queries, own, candidates }) =>
        sharedSoftmaxSum(queries as Tensor2D, own as Tensor2D, candidates as Tensor2D, attrsOf(left)),
      reference: ({ queries, own, candidates }) => {
        const score = (i: number, of: Float64Array, row: number) =>
          [0, 1, 2, 3, 4].reduce((sum, k) => sum + queries[i * dim + k]! * of[row * dim + k]!, 0);
        let total = 0;
        for (let i = 0; i < numQueries; i++) {
          const among = [...Array(numCandidates).keys()].filter((v) => !left[i]!.includes(v));
          const scores = [score(i, own, i), ...among.map((v) => score(i, candidates, v))];
          total += Math.log(scores.reduce((sum, s) => sum + Math.exp(s), 0)) - scores[0]!;
        }
        return Float64Array.of(total);
      },
    });
  });
});

/** Loss and gradients of more queries and candidates than a block and a tile hold, with scores far from 0. */
function large(): Float32Array[] {
  const [n, m, width] = [403, 1300, 24];
  const shapes = [n, n, m].map((rows) => [rows, width] as [number, number]);
  const inputs = shapes.map((shape, i) =>
    tensor2d(
      randomFloats(shape[0] * width, i + 1).map((x) => 3 * x),
      shape,
    ),
  );
  const attrs = attrsOf(Array.from({ length: n }, (_, i) => [i % 512, 512 + ((7 * i) % 500), 1299]));
  const loss = (...given: Tensor[]) => sharedSoftmaxSum(...(given as [Tensor2D, Tensor2D, Tensor2D]), attrs);
  const results = tidy(() =>
    [loss(...inputs), ...grads(loss)(inputs)].map((result) => result.dataSync<"float32">().slice()),
  );
  for (const input of inputs) input.dispose();
  return results;
}

test("blocks and tiles come to what the composition does, with the same bits on any number of threads", async () => {
  await selectBackend("cpu");
  const expected = large();
  await selectBackend("native");
  loadAddon().setThreads(1);
  const alone = large();
  loadAddon().setThreads(3);
  expect(large()).toEqual(alone);
  for (const [i, values] of alone.entries()) {
    const scale = Math.max(...expected[i]!.map(Math.abs));
    const apart = Math.max(...values.map((value, at) => Math.abs(value - expected[i]![at]!)));
    expect(apart / scale).toBeLessThan(1e-5);
  }
});
