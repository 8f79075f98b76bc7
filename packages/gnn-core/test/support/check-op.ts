import { expect } from "vitest";
import { grads, memory, mul, sum, type Tensor, tensor, tidy } from "../../src/backends/tf.ts";
import { randomFloats } from "./seeded-random.ts";

type Inputs = Readonly<Record<string, readonly number[]>>;

export interface OpCase<I extends Inputs> {
  /** Shape of each input; values are drawn. */
  readonly inputs: I;
  readonly run: (tensors: Record<keyof I & string, Tensor>) => Tensor;
  /** The function in double precision. */
  readonly reference: (arrays: Record<keyof I & string, Float64Array>) => Float64Array;
}

// float32 against double: sums of at most some thousand products of values below 1.
const forwardTolerance = 2e-5;
// Central differences of the double-precision reference are exact to about 1e-8; the rest is float32.
const gradientTolerance = 1e-4;
const halfStep = 1e-6;

/**
 * Checks an op on the active backend: its values against the reference, its gradient (of a random projection of the
 * result, every input element) against central differences of the reference, and that no tensor is left behind.
 */
export function checkOp<I extends Inputs>({ inputs, run, reference }: OpCase<I>): void {
  const names = Object.keys(inputs) as (keyof I & string)[];
  const values = names.map((name, i) => randomFloats(size(inputs[name] as number[]), 17 + i));
  const before = memory().numTensors;
  const tensors = names.map((name, i) => tensor(values[i] as Float32Array, inputs[name] as number[]));
  const runOn = (...of: Tensor[]) => run(record(names, of));

  const expected = reference(
    record(
      names,
      values.map((array) => Float64Array.from(array)),
    ),
  );
  const out = runOn(...tensors);
  expect(out.size).toBe(expected.length);
  expectClose(out.dataSync<"float32">(), expected, forwardTolerance);

  const projection = randomFloats(expected.length, 99);
  const gradients = tidy(() =>
    grads((...of: Tensor[]) => sum(mul(runOn(...of), tensor(projection, out.shape))))(tensors).map((gradient) =>
      gradient.dataSync<"float32">().slice(),
    ),
  );
  const project = (arrays: Float64Array[]) =>
    reference(record(names, arrays)).reduce((total, value, i) => total + value * (projection[i] as number), 0);
  for (const [i, gradient] of gradients.entries()) {
    expectClose(gradient, centralDifferences(project, values, i), gradientTolerance);
  }

  for (const each of [out, ...tensors]) each.dispose();
  expect(memory().numTensors).toBe(before);
}

/** d f / d arrays[which], element by element. */
function centralDifferences(
  f: (arrays: Float64Array[]) => number,
  values: readonly Float32Array[],
  which: number,
): Float64Array {
  const arrays = values.map((array) => Float64Array.from(array));
  const moving = arrays[which] as Float64Array;
  return moving.map((at, i) => {
    moving[i] = at + halfStep;
    const above = f(arrays);
    moving[i] = at - halfStep;
    const below = f(arrays);
    moving[i] = at;
    return (above - below) / (2 * halfStep);
  });
}

/** |found − expected| ≤ tolerance · (1 + |expected|), for every element. */
export function expectClose(found: ArrayLike<number>, expected: ArrayLike<number>, tolerance: number): void {
  expect(found.length).toBe(expected.length);
  for (let i = 0; i < expected.length; i++) {
    const a = found[i] as number;
    const b = expected[i] as number;
    if (!(Math.abs(a - b) <= tolerance * (1 + Math.abs(b)))) {
      expect.fail(`element ${i} is ${a}; expected ${b} within ${tolerance}`);
    }
  }
}

function record<K extends string, T>(names: readonly K[], items: readonly T[]): Record<K, T> {
  return Object.fromEntries(names.map((name, i) => [name, items[i]])) as Record<K, T>;
}

function size(shape: readonly number[]): number {
  return shape.reduce((product, length) => product * length, 1);
}
