import type { RangeAttrs } from "../../../ops/columns.ts";
import { runKernel } from "../../run-kernel.ts";
import type { Tensor } from "../../tf.ts";
import { registerNativeGradient, registerNativeKernel } from "../native-kernel.ts";

/** Copies `count` columns of every row, from column `from.at` of one matrix to column `to.at` of another. */
function copyColumns(
  rows: number,
  count: number,
  from: { values: Float32Array; dim: number; at: number },
  to: { values: Float32Array; dim: number; at: number },
): void {
  for (let row = 0; row < rows; row++) {
    const read = row * from.dim + from.at;
    const write = row * to.dim + to.at;
    for (let d = 0; d < count; d++) to.values[write + d] = from.values[read + d] as number;
  }
}

registerNativeKernel<"x", RangeAttrs>("ColumnRange", ({ inputs: { x }, attrs: { begin, end }, backend }) => {
  const [rows, dim] = x.shape as [number, number];
  const out = backend.allocate([rows, end - begin]);
  const from = { values: backend.floats(x), dim, at: begin };
  copyColumns(rows, end - begin, from, { values: out.values, dim: end - begin, at: 0 });
  return out.info;
});

registerNativeKernel<"dy" | "x", RangeAttrs>("ColumnRangeGrad", ({ inputs, attrs: { begin, end }, backend }) => {
  const [rows, dim] = inputs.x.shape as [number, number];
  const dx = backend.allocate([rows, dim]);
  dx.values.fill(0);
  const from = { values: backend.floats(inputs.dy), dim: end - begin, at: 0 };
  copyColumns(rows, end - begin, from, { values: dx.values, dim, at: begin });
  return dx.info;
});

registerNativeGradient("ColumnRange", { inputsToSave: ["x"], outputsToSave: [] }, (dy, [x], attrs) => ({
  x: runKernel("ColumnRangeGrad", { dy, x: x as Tensor }, attrs)[0] as Tensor,
}));

registerNativeKernel<"a" | "b", object>("JoinColumns", ({ inputs: { a, b }, backend }) => {
  const [rows, dimA] = a.shape as [number, number];
  const dimB = b.shape[1] as number;
  const out = backend.allocate([rows, dimA + dimB]);
  const to = { values: out.values, dim: dimA + dimB };
  copyColumns(rows, dimA, { values: backend.floats(a), dim: dimA, at: 0 }, { ...to, at: 0 });
  copyColumns(rows, dimB, { values: backend.floats(b), dim: dimB, at: 0 }, { ...to, at: dimA });
  return out.info;
});

registerNativeKernel<"dy" | "a" | "b", object>("JoinColumnsGrad", ({ inputs: { dy, a, b }, backend }) => {
  const [rows, dimA] = a.shape as [number, number];
  const [rowsB, dimB] = b.shape as [number, number];
  const da = backend.allocate([rows, dimA]);
  const db = backend.allocate([rowsB, dimB]);
  const from = { values: backend.floats(dy), dim: dimA + dimB };
  copyColumns(rows, dimA, { ...from, at: 0 }, { values: da.values, dim: dimA, at: 0 });
  copyColumns(rows, dimB, { ...from, at: dimA }, { values: db.values, dim: dimB, at: 0 });
  db.values.fill(0, rows * dimB);
  return [da.info, db.info];
});

registerNativeGradient("JoinColumns", { inputsToSave: ["a", "b"], outputsToSave: [] }, (dy, [a, b]) => {
  const inputs = { dy, a, b } as Record<string, Tensor>;
  const [da, db] = runKernel("JoinColumnsGrad", inputs, {}) as [Tensor, Tensor];
  return { a: da, b: db };
});
