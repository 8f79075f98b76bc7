import { expect, test } from "vitest";
import { loadAddon } from "../../src/backends/native/addon.ts";
import { randomFloats } from "../support/seeded-random.ts";

// Layer-wise inference, `nodesPerBatch` and the number of ranks decide which rows are multiplied together, and promise
// the same results.

const addon = loadAddon();
const numRows = 700;

function product(x: Float32Array, weight: Float32Array, inDim: number, transposed: boolean): Float32Array {
  const [rows, outDim] = [x.length / inDim, weight.length / inDim];
  const out = new Float32Array(rows * outDim);
  addon.sgemm(false, transposed, rows, outDim, inDim, x, weight, out);
  return out;
}

const widths = [1, 2, 16, 47, 64, 300];
const depths = [1, 3, 16, 100, 385];
const shapes = widths.flatMap((outDim) => depths.map((inDim): [number, number] => [inDim, outDim]));

test.each([false, true])(
  "a row's product has the same bits among any number of rows and at any place (transposed weights: %s)",
  (transposed) => {
    const differing: string[] = [];
    for (const [inDim, outDim] of shapes) {
      const x = randomFloats(numRows * inDim, 1);
      const weight = randomFloats(inDim * outDim, 2);
      const whole = Buffer.from(product(x, weight, inDim, transposed).buffer);
      for (const count of [1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 23, 24, 25, 49, 78, 90, 126, 191, 192, 193, 366, 601]) {
        const first = (count * 5) % (numRows - count);
        const some = product(x.slice(first * inDim, (first + count) * inDim), weight, inDim, transposed);
        const row = outDim * 4;
        const same = whole.subarray(first * row, (first + count) * row).equals(Buffer.from(some.buffer));
        if (!same) differing.push(`${count} rows from ${first}: [${inDim}, ${outDim}]`);
      }
    }
    expect(differing).toEqual([]);
  },
);

test.each([
  [5000, 37, 5],
  [1000, 100, 41],
])("a linear layer over %i rows has the bits of each of its rows alone", (rows, inDim, outDim) => {
  const x = randomFloats(rows * inDim, 3);
  const weight = randomFloats(inDim * outDim, 4);
  const bias = randomFloats(outDim, 5);
  const linear = (count: number, values: Float32Array) => {
    const out = new Float32Array(count * outDim);
    addon.linear(count, inDim, outDim, values, weight, bias, true, out);
    return out;
  };
  const whole = linear(rows, x);
  for (let row = 0; row < rows; row += 7) {
    const alone = linear(1, x.subarray(row * inDim, (row + 1) * inDim));
    expect(alone).toEqual(whole.subarray(row * outDim, (row + 1) * outDim));
  }
});
