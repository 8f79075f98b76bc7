import type { RangeAttrs } from "../../../ops/columns.ts";
import { runKernel } from "../../run-kernel.ts";
import type { Tensor } from "../../tf.ts";
import { registerNativeGradient, registerSharedKernel } from "../native-kernel.ts";

registerSharedKernel<"x", RangeAttrs>("ColumnRange", ({ inputs: { x }, attrs: { begin, end }, backend }) => {
  const [rows, dim] = x.shape as [number, number];
  const out = backend.allocate([rows, end - begin]);
  const from = { values: backend.floats(x), dim, at: begin };
  backend.copyColumns({ rows, columns: end - begin, from, to: { values: out.values, dim: end - begin, at: 0 } });
  return out.info;
});

registerSharedKernel<"dy" | "x", RangeAttrs>("ColumnRangeGrad", ({ inputs, attrs: { begin, end }, backend }) => {
  const [rows, dim] = inputs.x.shape as [number, number];
  const dx = backend.allocate([rows, dim]);
  backend.fill(dx.values, 0);
  const from = { values: backend.floats(inputs.dy), dim: end - begin, at: 0 };
  backend.copyColumns({ rows, columns: end - begin, from, to: { values: dx.values, dim, at: begin } });
  return dx.info;
});

registerNativeGradient("ColumnRange", { inputsToSave: ["x"], outputsToSave: [] }, (dy, [x], attrs) => ({
  x: runKernel("ColumnRangeGrad", { dy, x: x as Tensor }, attrs)[0] as Tensor,
}));

registerSharedKernel<"a" | "b", object>("JoinColumns", ({ inputs: { a, b }, backend }) => {
  const [rows, dimA] = a.shape as [number, number];
  const dimB = b.shape[1] as number;
  const out = backend.allocate([rows, dimA + dimB]);
  const to = { values: out.values, dim: dimA + dimB };
  const ofA = { values: backend.floats(a), dim: dimA, at: 0 };
  const ofB = { values: backend.floats(b), dim: dimB, at: 0 };
  backend.copyColumns({ rows, columns: dimA, from: ofA, to: { ...to, at: 0 } });
  backend.copyColumns({ rows, columns: dimB, from: ofB, to: { ...to, at: dimA } });
  return out.info;
});

registerSharedKernel<"dy" | "a" | "b", object>("JoinColumnsGrad", ({ inputs: { dy, a, b }, backend }) => {
  const [rows, dimA] = a.shape as [number, number];
  const [rowsB, dimB] = b.shape as [number, number];
  const da = backend.allocate([rows, dimA]);
  const db = backend.allocate([rowsB, dimB]);
  const from = { values: backend.floats(dy), dim: dimA + dimB };
  backend.copyColumns({ rows, columns: dimA, from: { ...from, at: 0 }, to: { values: da.values, dim: dimA, at: 0 } });
  backend.copyColumns({
    rows,
    columns: dimB,
    from: { ...from, at: dimA },
    to: { values: db.values, dim: dimB, at: 0 },
  });
  backend.fill(backend.part(db.values, rows * dimB, rowsB * dimB), 0);
  return [da.info, db.info];
});

registerNativeGradient("JoinColumns", { inputsToSave: ["a", "b"], outputsToSave: [] }, (dy, [a, b]) => {
  const inputs = { dy, a, b } as Record<string, Tensor>;
  const [da, db] = runKernel("JoinColumnsGrad", inputs, {}) as [Tensor, Tensor];
  return { a: da, b: db };
});
