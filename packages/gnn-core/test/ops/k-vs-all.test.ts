import { afterAll, expect, test } from "vitest";
import { loadAddon } from "../../src/backends/native/addon.ts";
import { selectBackend } from "../../src/backends/select-backend.ts";
import { grads, type Tensor, type Tensor2D, tensor2d, tidy } from "../../src/backends/tf.ts";
import { type KvsAllAttrs, kVsAllSum } from "../../src/ops/k-vs-all.ts";
import { randomFloats } from "../support/seeded-random.ts";

afterAll(() => loadAddon().setThreads(1));

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
