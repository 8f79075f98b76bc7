import { afterAll, expect, test } from "vitest";
import { loadAddon } from "../../src/backends/native/addon.ts";
import { selectBackend } from "../../src/backends/select-backend.ts";
import { grads, type Tensor, type Tensor2D, tensor2d, tidy } from "../../src/backends/tf.ts";
import { type SharedSoftmaxAttrs, sharedSoftmaxSum } from "../../src/ops/shared-softmax.ts";
import { randomFloats } from "../support/seeded-random.ts";

afterAll(() => loadAddon().setThreads(1));

const attrsOf = (lists: readonly (readonly number[])[]): SharedSoftmaxAttrs => ({
  starts: Int32Array.from({ length: lists.length + 1 }, (_, i) => lists.slice(0, i).flat().length),
  left: Int32Array.from(lists.flat()),
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
