import { afterAll, describe, expect, test } from "vitest";
import { loadAddon } from "../../src/backends/native/addon.ts";
import { selectBackend } from "../../src/backends/select-backend.ts";
import { grads, type Tensor, type Tensor2D, tensor2d, tidy } from "../../src/backends/tf.ts";
import { type KvsAllAttrs, kVsAllSum } from "../../src/ops/k-vs-all.ts";
import { checkOp } from "../support/check-op.ts";
import { randomFloats } from "../support/seeded-random.ts";

afterAll(() => loadAddon().setThreads(1));

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

describe.each(["native", "cpu"] as const)("on the backend %s", (backend) => {
  test.each([
    ["softmax", 0, false],
    ["softmax", 0.2, false],
    ["softmax", 0.3, true],
    ["binary", 0, false],
    ["binary", 0.2, true],
  ] as const)("the %s loss, smoothed by %s, is its formula, with its gradients; in groups: %s", async (...given) => {
    await selectBackend(backend);
    const [kind, smoothing, isGrouped] = given;
    const groups = isGrouped ? { groupOf, numGroups: 2 } : null;
    const attrs: KvsAllAttrs = { kind, smoothing, starts, targets, groups };
    checkOp({
      inputs: { queries: [numQueries, dim], candidates: [numCandidates, dim] },
      run: ({ queries, candidates }) => kVsAllSum(queries as Tensor2D, candidates as Tensor2D, attrs),
      reference: ({ queries, candidates }) => Float64Array.of(formula(attrs, queries, candidates)),
    });
  });
});

/** Loss and gradients of more queries and candidates than a block and a tile hold, with scores far from 0. */
function large(kind: KvsAllAttrs["kind"]): Float32Array[] {
  const [rows, columns, width] = [196, 530, 3];
  const queries = tensor2d(enlarged(randomFloats(rows * width, 3), 8), [rows, width]);
  const candidates = tensor2d(enlarged(randomFloats(columns * width, 4), 4), [columns, width]);
  const attrs: KvsAllAttrs = {
    kind,
    smoothing: 0.1,
    starts: Int32Array.from({ length: rows + 1 }, (_, row) => 2 * row),
    targets: Int32Array.from({ length: 2 * rows }, (_, i) => (i * 37) % columns),
    groups: null,
  };
  const found = tidy(() => {
    const loss = (a: Tensor, b: Tensor) => kVsAllSum(a as Tensor2D, b as Tensor2D, attrs);
    return [loss(queries, candidates), ...grads(loss)([queries, candidates])].map((each) =>
      each.dataSync<"float32">().slice(),
    );
  });
  queries.dispose();
  candidates.dispose();
  return found;
}

test.each(["softmax", "binary"] as const)("the %s loss in blocks is that of the composition", async (kind) => {
  await selectBackend("native");
  const blocked = large(kind);
  await selectBackend("cpu");
  const [value, ...gradients] = large(kind);
  await selectBackend("native");
  expect(Math.abs(blocked[0]![0]! - value![0]!)).toBeLessThan(1e-5 * value![0]!);
  for (const [i, gradient] of gradients.entries()) {
    const largest = gradient.reduce((most, each) => Math.max(most, Math.abs(each)), 0);
    const off = gradient.reduce((most, each, at) => Math.max(most, Math.abs(each - blocked[i + 1]![at]!)), 0);
    expect(off).toBeLessThan(1e-5 * largest);
  }
});

test("it has the same bits on any number of threads", async () => {
  await selectBackend("native");
  const found = [1, 2, 4].map((threads) => {
    loadAddon().setThreads(threads);
    return large("softmax").map((values) => [...new Uint32Array(values.buffer)]);
  });
  expect(found[1]).toEqual(found[0]);
  expect(found[2]).toEqual(found[0]);
});

function enlarged(values: Float32Array, factor: number): Float32Array {
  return values.map((value) => factor * value);
}
