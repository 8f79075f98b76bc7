import { dropoutValues } from "../backends/host-kernels.ts";
import { hasKernel, runKernel } from "../backends/run-kernel.ts";
import { mul, type Tensor2D, tensor2d, tidy } from "../backends/tf.ts";
import { GnnError } from "../errors/gnn-error.ts";
import type { FeatureRows } from "../features/feature-store.ts";
import { StoredRows } from "../features/stored-rows.ts";
import { philox4x32 } from "../random/philox.ts";

/** Everything a dropout mask depends on besides a row's id and the column. Each is a uint32 (or int32). */
export interface DropoutKey {
  readonly seed: number;
  readonly layer: number;
  readonly epoch: number;
  readonly step: number;
}

/** What a kernel that drops elements itself has to know. */
export interface DropoutAttrs {
  readonly rowIds: Int32Array;
  readonly key: Int32Array;
  readonly threshold: number;
}

/**
 * Dropout whose mask is a function of (key, GlobalId, column): never of the row's position, the rank or the thread.
 * Kept values are scaled by 1/(1 − rate); the rate is rounded to 1/65536. The gradient recomputes the mask.
 *
 * @param x       float32 [n, dim]
 * @param rowIds  int32 [n], the GlobalId of each row
 * @param rate    in [0, 1)
 * @returns       float32 [n, dim], owned by the caller
 * @throws GnnError SHAPE_MISMATCH, SPEC_INVALID (rate)
 */
export function dropout(x: Tensor2D, rowIds: Int32Array, rate: number, key: DropoutKey): Tensor2D {
  const attrs = dropoutAttrs(x.shape[0], rowIds, rate, key);
  if (attrs.threshold === 0) return x.clone();
  if (hasKernel("Dropout")) return runKernel("Dropout", { x }, attrs)[0] as Tensor2D;
  return tidy(() => mul(x, tensor2d(dropoutMask(attrs, x.shape[1]), x.shape)));
}

/** Dropout of feature rows, which get no gradient: of every value of dense rows, of the non-zeros of CSR rows. */
export function dropoutFeatures(rows: FeatureRows, rowIds: Int32Array, rate: number, key: DropoutKey): FeatureRows {
  const attrs = dropoutAttrs(rows.numRows, rowIds, rate, key);
  if (attrs.threshold === 0) return rows;
  if (rows instanceof StoredRows && hasKernel("Dropout")) {
    const dropped = rows.dropped(rowIds, attrs);
    if (dropped) return dropped;
  }
  const values = new Float32Array(rows.values.length);
  if (hasKernel("Dropout")) dropoutValues(rows, attrs, values);
  else dropoutInScript(rows, attrs, values);
  return { ...rows, values };
}

function dropoutInScript(rows: FeatureRows, attrs: DropoutAttrs, out: Float32Array): void {
  if (rows.kind === "dense") {
    const mask = dropoutMask(attrs, rows.dim);
    for (let i = 0; i < mask.length; i++) out[i] = (rows.values[i] as number) * (mask[i] as number);
    return;
  }
  for (let row = 0; row < rows.numRows; row++) {
    for (let i = rows.indptr[row] as number; i < (rows.indptr[row + 1] as number); i++) {
      out[i] = (rows.values[i] as number) * maskValue(attrs, row, rows.indices[i] as number);
    }
  }
}

/** @throws GnnError SHAPE_MISMATCH, SPEC_INVALID (rate) */
export function dropoutAttrs(numRows: number, rowIds: Int32Array, rate: number, key: DropoutKey): DropoutAttrs {
  const threshold = dropoutThreshold(rate);
  if (rowIds.length !== numRows) {
    throw new GnnError("SHAPE_MISMATCH", `dropout: there are ${rowIds.length} row ids for ${numRows} rows.`);
  }
  return { rowIds, key: dropoutWords(key), threshold };
}

/** Values of 16 random bits below this are dropped. @throws GnnError SPEC_INVALID for a rate outside [0, 1) */
export function dropoutThreshold(rate: number): number {
  if (rate >= 0 && rate < 1) return Math.min(Math.round(rate * 65536), 65535);
  throw new GnnError("SPEC_INVALID", `The dropout rate is ${rate}; expected a number in [0, 1).`);
}

/** The key as kernels take it. */
export function dropoutWords({ seed, layer, epoch, step }: DropoutKey): Int32Array {
  return Int32Array.of(seed, layer, epoch, step);
}

/** The factor of every element: 0, or 1/(1 − rate). */
function dropoutMask(attrs: DropoutAttrs, dim: number): Float32Array {
  const mask = new Float32Array(attrs.rowIds.length * dim);
  for (let i = 0; i < mask.length; i++) mask[i] = maskValue(attrs, Math.floor(i / dim), i % dim);
  return mask;
}

/** One element's factor; native/include/gnn/nn/dropout.h states the rule. */
function maskValue({ rowIds, key, threshold }: DropoutAttrs, row: number, column: number): number {
  const [seed, layer, epoch, step] = key as unknown as [number, number, number, number];
  const part = Math.floor((column % 128) / 16);
  const words = Uint32Array.of(rowIds[row] as number, Math.floor(column / 128) * 16 + (column % 16), epoch, step);
  philox4x32(words, seed, layer);
  const word = words[part >> 1] as number;
  const half = part % 2 === 0 ? word & 0xffff : word >>> 16;
  return half < threshold ? 0 : Math.fround(65536 / (65536 - threshold));
}
