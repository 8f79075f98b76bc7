import { type BatchMatMulAttrs, batchMatMul } from "../../native/batch-mat-mul.ts";
import { nativeSync } from "../../native/native-error.ts";
import type { KernelFunc, TensorInfo } from "../../tf.ts";
import type { DeviceArrays } from "../addon.ts";
import type { CudaBackend } from "../cuda-backend.ts";
import { arrangeOps } from "./arrange.ts";
import { elementwiseOps } from "./elementwise.ts";
import { reduceOps } from "./reduce.ts";
import type { StockOp } from "./stock-op.ts";

const ops: Readonly<Record<string, StockOp>> = {
  ...elementwiseOps,
  ...reduceOps,
  ...arrangeOps,
  BatchMatMul: ({ inputs, attrs, backend }) =>
    batchMatMul<DeviceArrays>({
      inputs,
      attrs: attrs as unknown as BatchMatMulAttrs,
      backend,
      addon: backend.addon,
    }),
};

/**
 * The stock kernel of this name on the device, where there is one for it: the losses of links and views, and of
 * components that others write, are composed of such. `stock` computes what is left, on the host.
 */
export function stockOnDevice(kernelName: string, stock: KernelFunc): KernelFunc {
  const op = ops[kernelName];
  if (!op) return stock;
  return (params) => {
    const backend = params.backend as CudaBackend;
    const inputs = params.inputs as Record<string, TensorInfo>;
    if (Object.values(inputs).some(({ dtype }) => dtype !== "float32")) return stock(params);
    const call = { inputs, attrs: params.attrs ?? {}, backend };
    return nativeSync(() => backend.uploads.call(() => op(call))) ?? stock(params);
  };
}
