import type { RangeAttrs } from "../../../ops/row-range.ts";
import { runKernel } from "../../run-kernel.ts";
import type { Tensor2D } from "../../tf.ts";
import { registerNativeGradient, registerSharedKernel } from "../native-kernel.ts";

interface RangeGradAttrs extends RangeAttrs {
  readonly numRows: number;
}

registerSharedKernel<"x", RangeAttrs>("RowRange", ({ inputs: { x }, attrs: { begin, end }, backend }) => {
  const dim = x.shape[1] as number;
  const out = backend.allocate([end - begin, dim]);
  backend.copy(backend.part(backend.floats(x), begin * dim, end * dim), out.values);
  return out.info;
});

registerSharedKernel<"dy", RangeGradAttrs>("RowRangeGrad", ({ inputs: { dy }, attrs, backend }) => {
  const dim = dy.shape[1] as number;
  const dx = backend.allocate([attrs.numRows, dim]);
  const [begin, end] = [attrs.begin * dim, attrs.end * dim];
  backend.fill(backend.part(dx.values, 0, begin), 0);
  backend.copy(backend.floats(dy), backend.part(dx.values, begin, end));
  backend.fill(backend.part(dx.values, end, attrs.numRows * dim), 0);
  return dx.info;
});

registerNativeGradient("RowRange", { inputsToSave: ["x"], outputsToSave: [] }, (dy, [x], attrs) => {
  const gradAttrs: RangeGradAttrs = { ...(attrs as RangeAttrs), numRows: x?.shape[0] as number };
  return { x: runKernel("RowRangeGrad", { dy }, gradAttrs)[0] as Tensor2D };
});
