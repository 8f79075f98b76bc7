import type { CudaBackend } from "./cuda/cuda-backend.ts";
import { backend, getBackend } from "./tf.ts";

/** The backend of a device while it is the active one, else null. */
export function activeCuda(): CudaBackend | null {
  return getBackend() === "cuda" ? (backend() as CudaBackend) : null;
}
