import { registerNativeGradient, registerNativeKernel, runNativeKernel } from "../backends/native/native-kernel.ts";
import { gather, getBackend, type Tensor2D, tensor1d, tidy } from "../backends/tf.ts";

interface RowAttrs {
  readonly rows: Int32Array;
}
interface GatherGradAttrs extends RowAttrs {
  readonly numRows: number;
}

/**
 * out[i] = x[rows[i]]. Its gradient adds the rows of dy back in the order of i: the same bits on any thread count.
 *
 * @param x     float32 [n, dim]
 * @param rows  int32, each in [0, n)
 * @returns     float32 [rows.length, dim], owned by the caller
 * @throws Error SHAPE_MISMATCH when a row is outside x
 */
export function gatherRows(x: Tensor2D, rows: Int32Array): Tensor2D {
  if (getBackend() !== "native") return tidy(() => gather<Tensor2D>(x, tensor1d(rows, "int32")));
  return runNativeKernel("GatherRows", { x }, { rows } satisfies RowAttrs)[0] as Tensor2D;
}

registerNativeKernel<"x", RowAttrs>("GatherRows", ({ inputs: { x }, attrs: { rows }, backend, addon }) => {
  const [numRows, dim] = x.shape as [number, number];
  const out = backend.allocate([rows.length, dim]);
  addon.gatherRows(numRows, dim, backend.floats(x), rows, out.values);
  return out.info;
});

registerNativeKernel<"dy", GatherGradAttrs>("GatherRowsGrad", ({ inputs: { dy }, attrs, backend, addon }) => {
  const dim = dy.shape[1] as number;
  const dx = backend.allocate([attrs.numRows, dim]);
  addon.scatterAddRows(attrs.numRows, dim, backend.floats(dy), attrs.rows, dx.values);
  return dx.info;
});

registerNativeGradient("GatherRows", { inputsToSave: ["x"], outputsToSave: [] }, (dy, saved, attrs) => {
  const numRows = saved[0]?.shape[0] as number;
  const gradAttrs: GatherGradAttrs = { rows: (attrs as RowAttrs).rows, numRows };
  return { x: runNativeKernel("GatherRowsGrad", { dy }, gradAttrs)[0] as Tensor2D };
});
