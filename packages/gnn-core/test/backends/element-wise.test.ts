import { beforeAll, expect, test } from "vitest";
import { selectBackend } from "../../src/backends/select-backend.ts";
import { add, mul, sub, type Tensor, tensor, tidy } from "../../src/backends/tf.ts";
import { randomFloats } from "../support/seeded-random.ts";

beforeAll(() => selectBackend("native"));

const sizeOf = (shape: readonly number[]) => shape.reduce((all, length) => all * length, 1);

/** The value at a flat place of `shape` of a tensor that is stretched to it. */
function stretched(values: Float32Array, own: readonly number[], shape: readonly number[], at: number): number {
  let [place, rest, stride] = [0, at, 1];
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    const index = rest % shape[axis]!;
    rest = Math.floor(rest / shape[axis]!);
    const ownLength = own[axis - (shape.length - own.length)] ?? 1;
    if (ownLength > 1) place += index * stride;
    stride *= ownLength;
  }
  return values[place]!;
}

test.each([
  [
    [3, 4],
    [3, 4],
    [3, 4],
  ],
  [[3, 4], [1], [3, 4]],
  [[], [3, 4], [3, 4]],
  [[1, 1], [5], [1, 5]],
  [
    [3, 1],
    [3, 4],
    [3, 4],
  ],
  [[4], [3, 4], [3, 4]],
  [
    [3, 1],
    [1, 4],
    [3, 4],
  ],
  [
    [2, 3, 2],
    [2, 3, 2],
    [2, 3, 2],
  ],
  [
    [0, 4],
    [1, 4],
    [0, 4],
  ],
  [
    [2, 1, 3],
    [4, 1],
    [2, 4, 3],
  ],
] as const)("%j and %j are added, subtracted and multiplied as tensors of %j", (left, right, shape) => {
  const [a, b] = [randomFloats(sizeOf(left), 3), randomFloats(sizeOf(right), 4)];
  for (const [op, expected] of [
    [add, (x: number, y: number) => Math.fround(x + y)],
    [sub, (x: number, y: number) => Math.fround(x - y)],
    [mul, (x: number, y: number) => Math.fround(x * y)],
  ] as const) {
    const out = tidy(() => op<Tensor>(tensor(a, [...left]), tensor(b, [...right])));
    expect(out.shape).toEqual([...shape]);
    const values = Array.from({ length: sizeOf(shape) }, (_, at) =>
      expected(stretched(a, left, shape, at), stretched(b, right, shape, at)),
    );
    expect([...out.dataSync<"float32">()]).toEqual(values);
    out.dispose();
  }
});

test.each([
  ["as many as the native library deals out", [96, 64]],
  ["others", [83, 61]],
  ["in one dimension", [5003]],
  ["in three", [3, 41, 40]],
])("many numbers of one shape are added with the bits of the loop: %s", (_, shape) => {
  const [a, b] = [randomFloats(sizeOf(shape), 5), randomFloats(sizeOf(shape), 6)];
  a[7] = Number.POSITIVE_INFINITY;
  const out = tidy(() => add<Tensor>(tensor(a, [...shape]), tensor(b, [...shape])));
  expect([out.shape, out.dataSync<"float32">()]).toEqual([shape, a.map((value, at) => value + b[at]!)]);
  out.dispose();
});

test("integers are multiplied as integers", () => {
  const out = tidy(() => mul<Tensor>(tensor([2, 3], [2], "int32"), tensor([4, 5], [2], "int32")));
  expect([out.dtype, ...out.dataSync<"int32">()]).toEqual(["int32", 8, 15]);
  out.dispose();
});
