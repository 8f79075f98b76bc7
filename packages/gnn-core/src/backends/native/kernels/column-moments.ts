import type { MomentAttrs, SumsAttrs } from "../../../ops/column-moments.ts";
import { registerNativeKernel } from "../native-kernel.ts";

registerNativeKernel<"x", SumsAttrs>("ColumnSums", ({ inputs: { x }, attrs, backend, addon }) => {
  const [rows, dim] = x.shape as [number, number];
  const sums = backend.allocate([2 * dim]);
  addon.columnMoments(attrs.numRows, rows, dim, backend.floats(x), attrs.center, sums.values);
  return sums.info;
});

registerNativeKernel<"dx" | "x", MomentAttrs>("AddMomentGradient", ({ inputs, attrs, backend, addon }) => {
  const [rows, dim] = inputs.x.shape as [number, number];
  const out = backend.allocate([rows, dim]);
  out.values.set(backend.floats(inputs.dx));
  const { numRows, mean: center, linear, quadratic } = attrs;
  addon.addMomentGradient(numRows, rows, dim, backend.floats(inputs.x), center, linear, quadratic, out.values);
  return out.info;
});
