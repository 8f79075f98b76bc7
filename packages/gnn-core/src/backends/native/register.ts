import { getKernelsForBackend, type KernelFunc, registerBackend, registerKernel, type TensorInfo } from "../tf.ts";
import { loadAddon } from "./addon.ts";
import { batchMatMul } from "./batch-mat-mul.ts";
import { NativeBackend } from "./native-backend.ts";
import { registerNativeKernel } from "./native-kernel.ts";

/** Registers the `native` backend: every stock cpu kernel under its name, replaced by a native one where there is one. */
export function registerNativeBackend(): void {
  loadAddon();
  if (!registerBackend("native", () => new NativeBackend())) return;
  for (const { kernelName, kernelFunc } of getKernelsForBackend("cpu")) {
    if (kernelName === "BatchMatMul") continue;
    registerKernel({ kernelName, backendName: "native", kernelFunc: detached(kernelFunc) });
  }
  registerNativeKernel("BatchMatMul", batchMatMul);
}

function detached(kernelFunc: KernelFunc): KernelFunc {
  return (params) => {
    const outputs: TensorInfo | TensorInfo[] = kernelFunc(params);
    const backend = params.backend as NativeBackend;
    for (const output of Array.isArray(outputs) ? outputs : [outputs]) backend.detach(output);
    return outputs;
  };
}
