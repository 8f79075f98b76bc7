import type { MomentAttrs, SumsAttrs } from "../../../ops/column-moments.ts";
import { registerSharedKernel } from "../native-kernel.ts";

registerSharedKernel<"x", SumsAttrs>("ColumnSums", ({ inputs: { x }, attrs, backend, addon }) => {
  const [rows, dim] = x.shape as [number, number];
  const sums = backend.allocate([2 * dim]);
  addon.columnMoments(attrs.numRows, rows, dim, backend.floats(x), backend.constant(attrs.center), sums.values);
  return sums.info;
});

registerSharedKernel<"dx" | "x", MomentAttrs>("AddMomentGradient", ({ inputs, attrs, backend, addon }) => {
  const [rows, dim] = inputs.x.shape as [number, number];
  const out = backend.allocate([rows, dim]);
  backend.copy(backend.floats(inputs.dx), out.values);
  const [center, linear, quadratic] = [attrs.mean, attrs.linear, attrs.quadratic].map((each) => backend.constant(each));
  addon.addMomentGradient(attrs.numRows, rows, dim, backend.floats(inputs.x), center, linear, quadratic, out.values);
  return out.info;
});
