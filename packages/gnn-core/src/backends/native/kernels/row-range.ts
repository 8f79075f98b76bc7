import type { RangeAttrs } from "../../../ops/row-range.ts";
import { runKernel } from "../../run-kernel.ts";
import type { Tensor2D } from "../../tf.ts";
import { registerNativeGradient, registerNativeKernel } from "../native-kernel.ts";

interface RangeGradAttrs extends RangeAttrs {
  readonly numRows: number;
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
  return { x: runKernel("RowRangeGrad", { dy }, gradAttrs)[0] as Tensor2D };
});
