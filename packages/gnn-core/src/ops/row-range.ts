import { registerNativeGradient, registerNativeKernel, runNativeKernel } from "../backends/native/native-kernel.ts";
import { getBackend, slice, type Tensor2D } from "../backends/tf.ts";

interface RangeAttrs {
  readonly begin: number;
  readonly end: number;
}
interface RangeGradAttrs extends RangeAttrs {
  readonly numRows: number;
}

/**
 * The rows [begin, end) of x, copied; every other row gets gradient 0.
 *
 * @param x  float32 [≥ end, dim]
 * @returns  float32 [end − begin, dim], owned by the caller
 */
export function rowRange(x: Tensor2D, begin: number, end: number): Tensor2D {
  if (getBackend() !== "native") return slice(x, [begin, 0], [end - begin, x.shape[1]]);
  return runNativeKernel("RowRange", { x }, { begin, end } satisfies RangeAttrs)[0] as Tensor2D;
}

registerNativeKernel<"x", RangeAttrs>("RowRange", ({ inputs: { x }, attrs: { begin, end }, backend }) => {
  const dim = x.shape[1] as number;
  const out = backend.allocate([end - begin, dim]);
  out.values.set(backend.floats(x).subarray(begin * dim, end * dim));
  return out.info;
});

registerNativeKernel<"dy", RangeGradAttrs>("RowRangeGrad", ({ inputs: { dy }, attrs, backend }) => {
  const dim = dy.shape[1] as number;
  const dx = backend.allocate([attrs.numRows, dim]);
  dx.values.fill(0, 0, attrs.begin * dim);
  dx.values.set(backend.floats(dy), attrs.begin * dim);
  dx.values.fill(0, attrs.end * dim);
  return dx.info;
});

registerNativeGradient("RowRange", { inputsToSave: ["x"], outputsToSave: [] }, (dy, [x], attrs) => {
  const gradAttrs: RangeGradAttrs = { ...(attrs as RangeAttrs), numRows: x?.shape[0] as number };
  return { x: runNativeKernel("RowRangeGrad", { dy }, gradAttrs)[0] as Tensor2D };
});
