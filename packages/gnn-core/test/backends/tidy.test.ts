import { beforeAll, expect, test } from "vitest";
import { selectBackend } from "../../src/backends/select-backend.ts";
import { memory, square, type Tensor, tensor1d, tidy } from "../../src/backends/tf.ts";

beforeAll(() => selectBackend("native"));

test("only what is returned outlives tidy, however deep it lies", () => {
  const before = memory().numTensors;
  const { pair } = tidy(() => {
    const base = tensor1d([1, 2, 3]);
    return { pair: [square(base), square(square(base))] as Tensor[] };
  });
  expect(memory().numTensors).toBe(before + 2);
  expect(pair.map((tensor) => [...tensor.dataSync()])).toEqual([
    [1, 4, 9],
    [1, 16, 81],
  ]);
  for (const tensor of pair) tensor.dispose();
  expect(memory().numTensors).toBe(before);
});

test("an array of values leaves without a look at its elements, of which there may be millions", () => {
  const before = memory().numTensors;
  const values = tidy(() => {
    const squares = square(tensor1d([1, 2, 3]));
    return Object.assign(squares.dataSync<"float32">(), { found: squares });
  });
  expect([...values]).toEqual([1, 4, 9]);
  expect(memory().numTensors, "what hangs on it is not found").toBe(before);
});
