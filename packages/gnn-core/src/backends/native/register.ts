import { getKernelsForBackend, type KernelFunc, registerBackend, registerKernel, type TensorInfo } from "../tf.ts";
import { loadAddon } from "./addon.ts";
import "./kernels/index.ts";
import type { HostArrays } from "../memory.ts";
import { type BatchMatMulAttrs, batchMatMul } from "./batch-mat-mul.ts";
import { elementWiseKernels } from "./element-wise.ts";
import { NativeBackend } from "./native-backend.ts";
import { registerNativeKernel } from "./native-kernel.ts";

/**
 * Registers the `native` backend: every stock cpu kernel under its name, replaced by a native one where there is one.
 */
export function registerNativeBackend(): void {
  loadAddon();
  if (!registerBackend("native", () => new NativeBackend())) return;
  for (const { kernelName, kernelFunc } of getKernelsForBackend("cpu")) {
    if (kernelName === "BatchMatMul") continue;
    const stock = ofScript(kernelName, kernelFunc);
    registerKernel({ kernelName, backendName: "native", kernelFunc: elementWiseKernels[kernelName]?.(stock) ?? stock });
  }
  registerNativeKernel<"a" | "b", BatchMatMulAttrs>("BatchMatMul", (call) => batchMatMul<HostArrays>(call));
}

/** Stock kernels that touch no element: their output shares the memory of their input. */
const sharing: ReadonlySet<string> = new Set(["Identity", "Reshape"]);

/** A stock kernel, counted, whose outputs never view pooled memory. */
function ofScript(kernelName: string, kernelFunc: KernelFunc): KernelFunc {
  return (params) => {
    const outputs: TensorInfo | TensorInfo[] = kernelFunc(params);
    const backend = params.backend as NativeBackend;
    if (!sharing.has(kernelName)) backend.countScriptKernel(kernelName);
    for (const output of Array.isArray(outputs) ? outputs : [outputs]) backend.detach(output);
    return outputs;
  };
}
