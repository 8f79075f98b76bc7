import { GnnError } from "../errors/gnn-error.ts";
import type { TensorflowDevice } from "./tensorflow.ts";

/** `native`: our kernels. `cpu`: tfjs' own, slow, the tests' oracle. `tensorflow`: tfjs-node-gpu or tfjs-node. */
export type BackendName = "native" | "cpu" | "tensorflow";

export interface BackendOptions {
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
  { tensorflowDevice = "gpu" }: BackendOptions = {},
): Promise<"cpu" | "cuda"> {
  // Loaded on demand: tfjs takes half a second, and a rank that only moves files computes nothing.
  const { loadCpuBackend, setBackend } = await import("./tf.ts");
  if (name === "cpu") loadCpuBackend();
  if (name === "native") (await import("./native/register.ts")).registerNativeBackend();
  if (name === "tensorflow") await (await import("./tensorflow.ts")).loadTensorflow(tensorflowDevice);
  if (!(await setBackend(name))) {
    throw new GnnError("DEVICE_NOT_AVAILABLE", `The backend "${name}" did not start; choose native instead.`);
  }
  return name === "tensorflow" && tensorflowDevice === "gpu" ? "cuda" : "cpu";
}
