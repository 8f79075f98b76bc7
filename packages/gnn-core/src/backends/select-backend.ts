import { GnnError } from "../errors/gnn-error.ts";
import type { CudaDevice } from "./cuda/load-addon.ts";
import type { TensorflowDevice } from "./tensorflow.ts";

/**
 * `native`: our kernels. `cuda`: our kernels for GPUs. `cpu`: tfjs' own, slow, the tests' oracle. `tensorflow`:
 * tfjs-node-gpu or tfjs-node.
 */
export type BackendName = "native" | "cuda" | "cpu" | "tensorflow";

export interface BackendOptions {
  /** What `cuda` computes on. Default: a GPU. The emulation is for tests; nothing chooses it unless it is named. */
  readonly cudaDevice?: CudaDevice;
  /** What TensorFlow must compute on; it is asked, as it takes the CPU in silence where it finds no GPU. */
  readonly tensorflowDevice?: TensorflowDevice;
}

/**
 * Makes a backend the active one of this thread. One process trains on one backend.
 *
 * @returns what it computes on
 * @throws GnnError NATIVE_NOT_BUILT, DEVICE_NOT_AVAILABLE
 */
export async function selectBackend(
  name: BackendName,
  { cudaDevice = "gpu", tensorflowDevice = "gpu" }: BackendOptions = {},
): Promise<"cpu" | "cuda"> {
  // Loaded on demand: tfjs takes half a second, and a rank that only moves files computes nothing.
  const { loadCpuBackend, setBackend } = await import("./tf.ts");
  if (name === "cpu") loadCpuBackend();
  if (name === "native") (await import("./native/register.ts")).registerNativeBackend();
  if (name === "cuda") (await import("./cuda/register.ts")).registerCudaBackend(cudaDevice);
  if (name === "tensorflow") await (await import("./tensorflow.ts")).loadTensorflow(tensorflowDevice);
  if (!(await setBackend(name))) {
    throw new GnnError("DEVICE_NOT_AVAILABLE", `The backend "${name}" did not start; choose native instead.`);
  }
  const isOnGpu = (name === "tensorflow" && tensorflowDevice === "gpu") || (name === "cuda" && cudaDevice === "gpu");
  return isOnGpu ? "cuda" : "cpu";
}
