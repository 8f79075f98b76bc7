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
