import { getKernelsForBackend, type KernelFunc, registerBackend, registerKernel, type TensorInfo } from "../tf.ts";
import "../native/kernels/index.ts";
import { nativeSync } from "../native/native-error.ts";
import { type SharedKernel, sharedKernels } from "../native/native-kernel.ts";
import { registerCountHits } from "./count-hits.ts";
import { CudaBackend } from "./cuda-backend.ts";
import { registerGatherStored } from "./gather-stored.ts";
import { type CudaDevice, loadCudaAddon } from "./load-addon.ts";
import { registerPeerSum } from "./peer-sum.ts";
import { stockOnDevice } from "./stock/on-device.ts";

/**
 * Registers the `cuda` backend: the kernels that it shares with `native` and the stock ones that losses are composed
 * of, each enqueued on the device, and every stock cpu kernel for what is left, which waits for it.
 *
 * @throws GnnError NATIVE_NOT_BUILT, DEVICE_NOT_AVAILABLE
 */
export function registerCudaBackend(device: CudaDevice): void {
  const addon = loadCudaAddon(device);
  nativeSync(() => addon.deviceName());
  if (!registerBackend("cuda", () => new CudaBackend(addon))) return;
  for (const { kernelName, kernelFunc } of getKernelsForBackend("cpu")) {
    const stock = stockOnDevice(kernelName, ofScript(kernelName, kernelFunc));
    registerKernel({ kernelName, backendName: "cuda", kernelFunc: stock });
  }
  registerCountHits();
  registerGatherStored();
  registerPeerSum();
  for (const [kernelName, kernel] of sharedKernels) {
    registerKernel({ kernelName, backendName: "cuda", kernelFunc: onDevice(kernel) });
  }
}

function onDevice(kernel: SharedKernel): KernelFunc {
  return ({ inputs, attrs, backend }) => {
    const cuda = backend as CudaBackend;
    const call = { inputs: inputs as Record<string, TensorInfo>, attrs, backend: cuda, addon: cuda.addon };
    return nativeSync(() => cuda.uploads.call(() => kernel(call)));
  };
}

/** Stock kernels that touch no element: their output shares the memory of their input. */
const sharing: ReadonlySet<string> = new Set(["Identity", "Reshape"]);

function ofScript(kernelName: string, kernelFunc: KernelFunc): KernelFunc {
  return (params) => {
    if (!sharing.has(kernelName)) (params.backend as CudaBackend).countScriptKernel(kernelName);
    return kernelFunc(params);
  };
}
