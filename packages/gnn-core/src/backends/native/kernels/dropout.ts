import type { FeatureRows } from "../../../features/feature-store.ts";
import type { DropoutAttrs } from "../../../ops/dropout.ts";
import { runKernel } from "../../run-kernel.ts";
import type { Tensor2D } from "../../tf.ts";
import { loadAddon } from "../addon.ts";
import { registerNativeGradient, registerSharedKernel } from "../native-kernel.ts";

registerSharedKernel<"x", DropoutAttrs>("Dropout", ({ inputs: { x }, attrs, backend, addon }) => {
  const [rows, dim] = x.shape as [number, number];
  const out = backend.allocate([rows, dim]);
  addon.dropoutRows(
    rows,
    dim,
    backend.floats(x),
    backend.constantInts(attrs.rowIds),
    attrs.key,
    attrs.threshold,
    out.values,
  );
  return out.info;
});

// The mask is its own derivative.
registerNativeGradient("Dropout", { inputsToSave: [], outputsToSave: [] }, (dy, _saved, attrs) => ({
  x: runKernel("Dropout", { x: dy }, attrs)[0] as Tensor2D,
}));

/** Drops among feature rows, which are no tensors: every value of dense rows, the non-zeros of CSR rows. */
export function dropoutValues(rows: FeatureRows, { rowIds, key, threshold }: DropoutAttrs, out: Float32Array): void {
  const addon = loadAddon();
  if (rows.kind === "dense") {
    addon.dropoutRows(rows.numRows, rows.dim, rows.values, rowIds, key, threshold, out);
  } else {
    addon.dropoutCsr(rows.numRows, rows.indptr, rows.indices, rows.values, rowIds, key, threshold, out);
  }
}
