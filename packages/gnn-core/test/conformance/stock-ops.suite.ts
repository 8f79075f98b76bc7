import { beforeAll, describe, expect, test } from "vitest";
import { activeCuda } from "../../src/backends/active-cuda.ts";
import { type BackendName, type BackendOptions, selectBackend } from "../../src/backends/select-backend.ts";
import {
  add,
  concat,
  cos,
  div,
  elu,
  matMul,
  mean,
  mul,
  sin,
  slice,
  softmax,
  sqrt,
  square,
  sub,
  sum,
  type Tensor,
  type Tensor2D,
  tanh,
  tensor2d,
  tfjs,
  tidy,
} from "../../src/backends/tf.ts";
import { countLabels } from "../../src/ops/count-labels.ts";
import { leakyRelu } from "../../src/ops/leaky-relu.ts";
import { softplus } from "../../src/ops/softplus.ts";
import { checkOp } from "../support/check-op.ts";
import { randomFloats } from "../support/seeded-random.ts";

type Run = (a: Tensor2D, b: Tensor2D) => Tensor;
type Reference = (a: Float64Array, b: Float64Array) => Float64Array;

const rows = 6;
const columns = 4;
const size = rows * columns;

/** What of a and b [6, 4] lies at an element of the result */
const each =
  (f: (a: number, b: number, i: number) => number): Reference =>
  (a, b) =>
    a.map((value, i) => f(value, b[i]!, i));
const row = (of: Float64Array, i: number) => of.subarray(i * columns, (i + 1) * columns);
const total = (of: Float64Array) => of.reduce((all, value) => all + value, 0);
const eachRow =
  (f: (a: Float64Array, b: Float64Array) => readonly number[]): Reference =>
  (a, b) =>
    Float64Array.from(Array.from({ length: rows }, (_, i) => f(row(a, i), row(b, i))).flat());
const productOf = (a: Float64Array, b: Float64Array) => a.map((value, i) => value * b[i]!);
const columnOf = (of: Float64Array, c: number) => Float64Array.from({ length: rows }, (_, i) => of[i * columns + c]!);

const cases: readonly (readonly [string, Run, Reference])[] = [
  ["softplus", (a, b) => mul(softplus(a), b), each((a, b) => Math.log1p(Math.exp(a)) * b)],
  ["waves", (a, b) => mul(cos(a), sin(b)), each((a, b) => Math.cos(a) * Math.sin(b))],
  [
    "activations",
    (a, b) => add(elu(a), sub(leakyRelu(b), tanh(a))),
    each((a, b) => (a > 0 ? a : Math.expm1(a)) + (b > 0 ? b : 0.2 * b) - Math.tanh(a)),
  ],
  [
    "lengths",
    (a, b) => div(sqrt(add(square(a), 1)), add(square(b), 2)),
    each((a, b) => Math.sqrt(a * a + 1) / (b * b + 2)),
  ],
  [
    "a row for all rows, a column for all columns and a number for all",
    (a, b) => mul(add(a, slice(b, [1, 0], [1, columns])), sub(slice(b, [0, 2], [rows, 1]), 0.5)),
    (a, b) => a.map((value, i) => (value + b[columns + (i % columns)]!) * (b[i - (i % columns) + 2]! - 0.5)),
  ],
  [
    "a column against a row",
    (a, b) => mul(slice(a, [0, 1], [rows, 1]), slice(b, [2, 0], [1, columns])),
    (a, b) => a.map((_, i) => a[i - (i % columns) + 1]! * b[2 * columns + (i % columns)]!),
  ],
  ["sums of rows", (a, b) => sum(mul(a, b), 1, true), eachRow((a, b) => [total(productOf(a, b))])],
  [
    "means of columns",
    (a, b) => tfjs.sigmoid(mean(mul(a, b), 0)),
    (a, b) =>
      Float64Array.from({ length: columns }, (_, c) => 1 / (1 + Math.exp(-total(columnOf(productOf(a, b), c)) / rows))),
  ],
  ["sums of all", (a, b) => sum(mul(a, b)), (a, b) => Float64Array.of(total(productOf(a, b)))],
  [
    "softmax of rows",
    (a, b) => mul(softmax(a), b),
    eachRow((a, b) =>
      Array.from(a, (value, i) => (b[i]! * Math.exp(value)) / total(a.map((other) => Math.exp(other)))),
    ),
  ],
  [
    "parts side by side, and one below the other",
    (a, b) => concat([concat([a, slice(b, [0, 1], [rows, 2])], 1), concat([slice(b, [0, 0], [rows, 2]), a], 1)], 0),
    (a, b) =>
      Float64Array.from([
        ...eachRow((x, y) => [...x, ...y.subarray(1, 3)])(a, b),
        ...eachRow((x, y) => [...y.subarray(0, 2), ...x])(a, b),
      ]),
  ],
  [
    "products of matrices, either transposed",
    (a, b) => matMul(matMul(a, b, false, true), matMul(b, a, false, true), true),
    (a, b) => {
      const entryOf = (x: Float64Array, y: Float64Array, i: number, j: number) =>
        total(productOf(row(x, i), row(y, j)));
      const all = Array.from({ length: rows }, (_, i) => i);
      return Float64Array.from(
        all.flatMap((i) => all.map((j) => all.reduce((s, k) => s + entryOf(a, b, k, i) * entryOf(b, a, k, j), 0))),
      );
    },
  ],
];

/** Stock ops of tfjs that losses and decoders are composed of: values and gradients, without a wait for the device. */
export function stockOpsSuite(name: BackendName, options: BackendOptions = {}): void {
  describe(`stock ops on the backend ${name}`, () => {
    beforeAll(() => selectBackend(name, options));

    test.each(cases)("%s are right, and so is the gradient", (_title, run, reference) => {
      checkOp({
        inputs: { a: [rows, columns], b: [rows, columns] },
        run: ({ a, b }) => tidy(() => run(a as Tensor2D, b as Tensor2D)),
        reference: ({ a, b }) => reference(a, b),
      });
    });

    test.each(cases)("%s are computed where the tensors lie", (_title, run) => {
      const cuda = activeCuda();
      if (!cuda) return;
      cuda.scriptKernels.clear();
      const before = cuda.readBacks;
      tidy(() => {
        const [a, b] = [1, 2].map((seed) => tensor2d(randomFloats(size, seed), [rows, columns])) as [
          Tensor2D,
          Tensor2D,
        ];
        tfjs.grads((x: Tensor, y: Tensor) => sum(run(x as Tensor2D, y as Tensor2D)))([a, b]);
      });
      expect([...cuda.scriptKernels.keys()]).toEqual([]);
      expect(cuda.readBacks).toBe(before);
    });

    test("micro F1 is counted by the cuts of the labels, and an output at its cut is predicted", () => {
      if (!activeCuda()) return;
      const outputs = Float32Array.of(0.1, -2, 0.5, 0.25, 3, -1);
      const targets = Float32Array.of(1, 0, 0, 1, 1, 1);
      // 0.1 as float32 is above 0.1: at a cut of 0.1 it is predicted, and at the next number it is not.
      const counted = (cut: number) =>
        tidy(() => {
          const found = countLabels(tensor2d(outputs, [3, 2]), targets, Float64Array.of(cut, 0.25));
          return [found!.hits, found!.trials].map((count) => count.dataSync<"float32">()[0]!);
        });
      expect(counted(0.1)).toEqual([6, 8]);
      expect(counted(Math.fround(0.1) + 1e-12)).toEqual([4, 7]);
    });
  });
}
