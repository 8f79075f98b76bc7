import type { NamedAttrMap, TensorInfo } from "../../tf.ts";
import type { CudaBackend } from "../cuda-backend.ts";

export interface StockCall {
  /** All of float32 */
  readonly inputs: Readonly<Record<string, TensorInfo>>;
  readonly attrs: NamedAttrMap;
  readonly backend: CudaBackend;
}

/**
 * A stock op of tfjs on the device. Null: not for these shapes, and the stock kernel computes it on the host, which
 * waits for the device.
 */
export type StockOp = (call: StockCall) => TensorInfo | TensorInfo[] | null;

/** A tensor of up to two dimensions as a matrix: a list is one row. Null: it has more. */
export function planeOf(shape: readonly number[]): readonly [rows: number, columns: number] | null {
  const [first = 1, second] = shape;
  if (shape.length > 2) return null;
  return second === undefined ? [1, first] : [first, second];
}
