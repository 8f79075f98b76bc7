import { nativeSync } from "../native/native-error.ts";
import type { KernelFunc, TensorInfo } from "../tf.ts";
import type { CudaBackend } from "./cuda-backend.ts";

const noActivation = 0;

/** Sums of float32 tensors of one shape, as tfjs adds up gradients; others are left to the stock kernel. */
export function addOnDevice(stock: KernelFunc): KernelFunc {
  return (params) => {
    const { a, b } = params.inputs as Record<"a" | "b", TensorInfo>;
    if (a.dtype !== "float32" || b.dtype !== "float32" || a.shape.join() !== b.shape.join()) return stock(params);
    const backend = params.backend as CudaBackend;
    const enqueue = () => {
      const out = backend.allocate(a.shape);
      const size = a.shape.reduce((product, length) => product * length, 1);
      backend.addon.addActivate(size, size, 1, backend.floats(a), backend.floats(b), noActivation, out.values);
      return out.info;
    };
    return nativeSync(() => backend.uploads.call(enqueue));
  };
}
