import { beforeAll, expect, test, vi } from "vitest";
import type { NativeBackend } from "../../src/backends/native/native-backend.ts";
import { selectBackend } from "../../src/backends/select-backend.ts";
import { backend, grads, memory, type Tensor, type Tensor2D, tensor1d, tensor2d, tidy } from "../../src/backends/tf.ts";
import { biasActivate } from "../../src/ops/bias-activate.ts";
import { dropout } from "../../src/ops/dropout.ts";
import { layerNorm } from "../../src/ops/layer-norm.ts";
import { expectClose } from "../support/check-op.ts";

const rows = 200;
const dim = 32;
const numOps = 12;
const bytes = 4 * rows * dim;
const rowIds = Int32Array.from({ length: rows }, (_, i) => i);

beforeAll(() => selectBackend("native"));

/** Each op's input goes when its output is there, as in layers. */
function chain(x: Tensor2D, op: (x: Tensor2D, i: number) => Tensor2D, i = numOps): Tensor2D {
  return i === 0 ? x : tidy(() => op(chain(x, op, i - 1), i));
}

/** Memory that a backward pass took from the pool, in arrays of [rows, dim] */
function arraysOfPass(op: (x: Tensor2D, i: number) => Tensor2D): number {
  const { pool } = backend() as NativeBackend;
  pool.clear();
  tidy(() => {
    const x = tensor2d(new Float32Array(rows * dim).fill(1), [rows, dim]);
    const dy = tensor2d(new Float32Array(rows * dim).fill(1), [rows, dim]);
    grads((input: Tensor) => chain(input as Tensor2D, op))([x], dy);
  });
  return pool.freeBytes / bytes;
}

test("gradients that were read go at once: a chain of any length needs two at a time", () => {
  const key = { seed: 1, layer: 0, epoch: 0, step: 0 };
  expect(arraysOfPass((x, i) => dropout(x, rowIds, 0.1, { ...key, layer: i }))).toBeLessThan(4);
});

test("so does what an op saved for its gradient, once that is known", () => {
  // Twelve outputs are saved on the way there; on the way back two gradients come to what is left of them.
  expect(arraysOfPass((x) => biasActivate(x, tensor1d(new Float32Array(dim)), "tanh"))).toBeLessThan(numOps + 4);
});

test("what an op saved for its gradient costs no zeros of its shape on the way back", () => {
  const scale = tensor1d(new Float32Array(dim).fill(1));
  const shift = tensor1d(new Float32Array(dim));
  const written = vi.spyOn(backend() as NativeBackend, "write");
  arraysOfPass((x) => layerNorm(x, scale, shift)); // saves mean and deviation of each row
  const ofScript = written.mock.calls
    .map(([values]) => values as Float32Array)
    .filter(({ buffer }) => !(backend() as NativeBackend).pool.owns(buffer));
  written.mockRestore();
  // The pass's own x and dy, and zeros without elements.
  expect(ofScript.map(({ length }) => length).filter((length) => length > 0)).toEqual([rows * dim, rows * dim]);
  for (const tensor of [scale, shift]) tensor.dispose();
});

test("a gradient that the caller hands in stays his, and nothing is left behind", () => {
  const before = memory().numTensors;
  const x = tensor2d([0.5, -1], [1, 2]);
  const dy = tensor2d([2, 3], [1, 2]);
  const bias = tensor1d([0, 0]);
  const [dx] = grads((input: Tensor) => biasActivate(input as Tensor2D, bias, "tanh"))([x], dy) as [Tensor];
  expect([...dy.dataSync()]).toEqual([2, 3]);
  expectClose(dx.dataSync(), [2 * (1 - Math.tanh(0.5) ** 2), 3 * (1 - Math.tanh(1) ** 2)], 1e-6);
  for (const each of [x, dy, dx, bias]) each.dispose();
  expect(memory().numTensors).toBe(before);
});
