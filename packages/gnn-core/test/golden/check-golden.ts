import { expect } from "vitest";
import { grads, memory, mul, sum, type Tensor, tensor, tidy } from "../../src/backends/tf.ts";
import type { GoldenArray, GoldenCase } from "./golden-file.ts";

/** Largest error by the largest value, or by 0.1 where all are small. */
const tolerance = 1e-5;

export function expectGolden(found: ArrayLike<number>, { values }: GoldenArray, what: string): void {
  expect(found.length, what).toBe(values.length);
  const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0.1);
  const error = values.reduce((most, value, i) => Math.max(most, Math.abs(value - found[i]!)), 0);
  expect(error / largest, `${what}, of at most ${largest}`).toBeLessThan(tolerance);
}

/** An input by its name, or one that the layer takes with rows and columns exchanged. */
export type GoldenInput = string | { readonly turned: string };

/** A weight of torch.nn.Linear, which keeps it as [out, in]. */
export const turned = (name: string): GoldenInput => ({ turned: name });

/**
 * Runs a layer on the inputs of a case and compares its output and its gradients by every input with those of the file.
 *
 * @param inputs  the arrays in the order in which `run` takes them; their gradients are `grad.<name>_f64`
 * @param run     its result has the output's number of elements
 */
export function checkGolden(
  golden: GoldenCase,
  inputs: readonly GoldenInput[],
  run: (...tensors: Tensor[]) => Tensor,
): void {
  const before = memory().numTensors;
  const tensors = inputs.map((input) => tensorOf(arrayOf(golden, input)));
  const out = run(...tensors);
  expectGolden(out.dataSync<"float32">(), golden.get("out_f64"), "the output");
  const upstream = Float32Array.from(golden.get("upstream").values);
  const gradients = tidy(() =>
    grads((...of: Tensor[]) => {
      const result = run(...of);
      return sum(mul(result, tensor(upstream, result.shape)));
    })(tensors).map((gradient) => gradient.dataSync<"float32">().slice()),
  );
  for (const [i, input] of inputs.entries()) {
    expectGolden(
      gradients[i]!,
      arrayOf(golden, input, (name) => `grad.${name}_f64`),
      `the gradient by ${nameOf(input)}`,
    );
  }
  for (const each of [out, ...tensors]) each.dispose();
  expect(memory().numTensors).toBe(before);
}

function nameOf(input: GoldenInput): string {
  return typeof input === "string" ? input : input.turned;
}

function arrayOf(golden: GoldenCase, input: GoldenInput, key = (name: string) => name): GoldenArray {
  const array = golden.get(key(nameOf(input)));
  if (typeof input === "string") return array;
  const [rows = 0, columns = 0] = array.shape;
  const values = array.values.map((_, i) => array.values[(i % rows) * columns + Math.floor(i / rows)]!);
  return { shape: [columns, rows], values };
}

function tensorOf({ shape, values }: GoldenArray): Tensor {
  return tensor(Float32Array.from(values), shape);
}
