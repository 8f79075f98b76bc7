import nodeUtil from "node:util";
import { Worker } from "node:worker_threads";
import { beforeAll, describe, expect, test } from "vitest";
import { loadAddon } from "../../src/backends/native/addon.ts";
import { BufferPool, sizeClass } from "../../src/backends/native/buffer-pool.ts";
import { selectBackend } from "../../src/backends/select-backend.ts";
import { add, concat, matMul, memory, mul, slice, tensor, tensor2d, tidy } from "../../src/backends/tf.ts";
import { expectClose } from "../support/check-op.ts";
import { matMul as referenceMatMul } from "../support/reference-ops.ts";
import { randomFloats } from "../support/seeded-random.ts";

describe("the native backend", () => {
  beforeAll(() => selectBackend("native"));

  test.each([
    [1, 1, 1],
    [3, 5, 2],
    [700, 33, 17],
    [64, 3000, 9],
  ])("a product of [%i, %i] and [.., %i] is right, transposed or not", (m, k, n) => {
    const a = randomFloats(m * k, 1);
    const b = randomFloats(k * n, 2);
    const expected = referenceMatMul(m, k, n, Float64Array.from(a), Float64Array.from(b));
    tidy(() => {
      const ta = tensor2d(a, [m, k]);
      const tb = tensor2d(b, [k, n]);
      const ua = tensor2d(transposed(a, m, k), [k, m]);
      const ub = tensor2d(transposed(b, k, n), [n, k]);
      // Rounding grows with the square root of the k summands.
      const tolerance = 1e-6 * Math.sqrt(k) * 10;
      expectClose(matMul(ta, tb).dataSync<"float32">(), expected, tolerance);
      expectClose(matMul(ua, tb, true, false).dataSync<"float32">(), expected, tolerance);
      expectClose(matMul(ta, ub, false, true).dataSync<"float32">(), expected, tolerance);
      expectClose(matMul(ua, ub, true, true).dataSync<"float32">(), expected, tolerance);
    });
  });

  test("a batch of products takes one right side for all", () => {
    tidy(() => {
      const a = tensor([1, 2, 3, 4, 5, 6], [3, 1, 2]);
      const out = matMul(a, tensor([1, 10], [1, 2, 1]));
      expect([...out.dataSync()]).toEqual([1 + 20, 3 + 40, 5 + 60]);
    });
  });

  test("a slice keeps its values when what it was cut from is gone and its memory used again", () => {
    tidy(() => {
      const sum = matMul(tensor2d([[1], [2]]), tensor2d([[1, 1]])); // pooled: [[1, 1], [2, 2]]
      const row = slice(sum, [1, 0], [1, 2]);
      sum.dispose();
      matMul(tensor2d([[7], [7]]), tensor2d([[1, 1]]));
      expect([...row.dataSync()]).toEqual([2, 2]);
    });
  });

  test("values that were read stay when their tensor's memory is used again", () => {
    const read = tidy(() => matMul(tensor2d([[3]]), tensor2d([[4]])).dataSync());
    tidy(() => matMul(tensor2d([[5]]), tensor2d([[5]])));
    expect([...read]).toEqual([12]);
  });

  test("stock ops run beside native ones and leave no tensor", () => {
    const before = memory().numTensors;
    tidy(() => {
      const x = add(mul(tensor2d([[1, 2]]), 2), 1);
      expect([
        ...concat(
          [
            x,
            matMul(
              x,
              tensor2d([
                [1, 0],
                [0, 1],
              ]),
            ),
          ],
          0,
        ).dataSync(),
      ]).toEqual([3, 5, 3, 5]);
    });
    expect(memory().numTensors).toBe(before);
  });

  test("tensorflow, which is not installed, is refused with what to install", async () => {
    await expect(selectBackend("tensorflow")).rejects.toMatchObject({
      code: "DEVICE_NOT_AVAILABLE",
      message: expect.stringContaining("@tensorflow/tfjs-node-gpu"),
    });
    await selectBackend("native");
  });

  test("tensorflow is refused, with the versions that suit, on a Node without a function that it calls", async () => {
    const util = nodeUtil as { isNullOrUndefined?: unknown };
    const { isNullOrUndefined } = util;
    delete util.isNullOrUndefined;
    try {
      await expect(selectBackend("tensorflow")).rejects.toMatchObject({
        code: "DEVICE_NOT_AVAILABLE",
        message: expect.stringContaining("run this worker on Node 20"),
      });
    } finally {
      if (isNullOrUndefined) util.isNullOrUndefined = isNullOrUndefined;
    }
  });
});

describe("the buffer pool", () => {
  test("size classes hold what is asked for, waste at most a quarter, and are multiples of 64", () => {
    for (let bytes = 1; bytes < 1e9; bytes = Math.ceil(bytes * 1.37)) {
      const size = sizeClass(bytes);
      expect(size).toBeGreaterThanOrEqual(bytes);
      expect(size % 64).toBe(0);
      if (bytes > 256) expect(size).toBeLessThanOrEqual(bytes * 1.25 + 64);
    }
  });

  test("memory given back is given out again, up to the limit", () => {
    const pool = new BufferPool(4096);
    const first = pool.take(3000);
    pool.give(first);
    expect(pool.freeBytes).toBe(first.byteLength);
    expect(pool.take(2900)).toBe(first);
    pool.give(pool.take(8192));
    expect(pool.freeBytes).toBe(0);
  });

  test("a free buffer of the next larger class serves too, one of twice the size does not", () => {
    const pool = new BufferPool(1 << 20);
    const first = pool.take(100_000);
    pool.give(first);
    expect(pool.take(90_000)).toBe(first);
    pool.give(first);
    expect(pool.take(50_000)).not.toBe(first);
  });
});

describe("native functions", () => {
  const addon = loadAddon();
  const out = new Float32Array(2);

  test.each<[string, () => void, RegExp]>([
    [
      "a short array",
      () => addon.sgemm(false, false, 1, 1, 2, new Float32Array(1), new Float32Array(2), out),
      /a has 1 elements; expected 2/,
    ],
    [
      "an array of another type",
      () => addon.linear(1, 1, 1, new Int32Array(1) as never, out, out, true, out),
      /x is not a Float32Array/,
    ],
    ["a negative count", () => addon.sgemm(false, false, -1, 1, 1, out, out, out), /m is -1/],
    [
      "a row outside the table",
      () => addon.gatherRows(1, 1, new Float32Array(1), Int32Array.of(1), new Float32Array(1)),
      /rows holds 1; expected ids in \[0, 1\)/,
    ],
    [
      "a negative row",
      () => addon.gatherRows(1, 1, new Float32Array(1), Int32Array.of(-3), new Float32Array(1)),
      /rows holds -3/,
    ],
    [
      "offsets that fall",
      () => addon.spmmMean([1, 1, Int32Array.of(1, 0), new Int32Array(0)], 1, new Float32Array(1), new Float32Array(1)),
      /ascending/,
    ],
    [
      "more dst than src rows",
      () => addon.spmmMean([0, 1, Int32Array.of(0, 0), new Int32Array(0)], 1, new Float32Array(0), new Float32Array(1)),
      /1 dst rows among 0/,
    ],
    [
      "a label without class",
      () => addon.crossEntropySum(1, 2, out, Int32Array.of(2), null, new Float32Array(1)),
      /labels\[0\] is 2; there are 2 classes/,
    ],
  ])("refuse %s with SHAPE_MISMATCH", (_title, call, message) => {
    expect(call).toThrow(expect.objectContaining({ code: "SHAPE_MISMATCH", message: expect.stringMatching(message) }));
  });

  test("allocate writable memory of the length asked for", () => {
    const buffer = addon.allocate(1000);
    expect(buffer.byteLength).toBe(1000);
    expect(new Uint8Array(buffer).fill(7).every((byte) => byte === 7)).toBe(true);
    expect(["avx512", "avx2", "portable"]).toContain(addon.isa());
  });

  test("run in two worker threads at once, beside a pool of threads, with the results of one", async () => {
    const path = new URL("../../build/hopwise.node", import.meta.url).pathname;
    const code = `
      const { createRequire } = require("node:module");
      const { parentPort, workerData } = require("node:worker_threads");
      const addon = createRequire(workerData)(workerData);
      addon.setThreads(2);
      const [m, k, n] = [600, 40, 30];
      const a = Float32Array.from({ length: m * k }, (_, i) => Math.sin(i));
      const b = Float32Array.from({ length: k * n }, (_, i) => Math.cos(i));
      const results = Array.from({ length: 30 }, () => {
        const c = new Float32Array(addon.allocate(m * n * 4));
        addon.sgemm(false, false, m, n, k, a, b, c);
        return Buffer.from(c.buffer).toString("base64");
      });
      parentPort.postMessage([...new Set(results)]);
    `;
    const run = () =>
      new Promise<string[]>((resolve, reject) => {
        const worker = new Worker(code, { eval: true, workerData: path });
        let answer: string[] = [];
        worker.once("message", (message) => {
          answer = message;
        });
        worker.once("error", reject).once("exit", () => resolve(answer));
      });
    const [first, second] = await Promise.all([run(), run()]);
    expect(first).toHaveLength(1);
    expect(second).toEqual(first);
    addon.setThreads(1);
  });
});

function transposed(values: Float32Array, rows: number, columns: number): Float32Array {
  return values.map((_, i) => values[(i % rows) * columns + Math.floor(i / rows)] as number);
}
