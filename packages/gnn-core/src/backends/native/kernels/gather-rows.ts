import type { RowAttrs } from "../../../ops/gather-rows.ts";
import { runKernel } from "../../run-kernel.ts";
import type { Tensor2D } from "../../tf.ts";
import { registerNativeGradient, registerSharedKernel } from "../native-kernel.ts";

interface GatherGradAttrs extends RowAttrs {
  readonly numRows: number;
}

registerSharedKernel<"x", RowAttrs>("GatherRows", ({ inputs: { x }, attrs: { rows }, backend, addon }) => {
  const [numRows, dim] = x.shape as [number, number];
  const out = backend.allocate([rows.length, dim]);
  addon.gatherRows(numRows, dim, backend.floats(x), backend.constantInts(rows), out.values);
  return out.info;
});

registerSharedKernel<"dy", GatherGradAttrs>("GatherRowsGrad", ({ inputs: { dy }, attrs, backend, addon }) => {
  const dim = dy.shape[1] as number;
  const dx = backend.allocate([attrs.numRows, dim]);
  addon.scatterAddRows(attrs.numRows, dim, backend.floats(dy), backend.constantInts(attrs.rows), dx.values);
  return dx.info;
});

registerNativeGradient("GatherRows", { inputsToSave: ["x"], outputsToSave: [] }, (dy, saved, attrs) => {
  const numRows = saved[0]?.shape[0] as number;
  const gradAttrs: GatherGradAttrs = { rows: (attrs as RowAttrs).rows, numRows };
  return { x: runKernel("GatherRowsGrad", { dy }, gradAttrs)[0] as Tensor2D };
});
