import type { NativeBackend } from "./native/native-backend.ts";
import { backend, getBackend, type Tensor } from "./tf.ts";

/** The tensor's values, without a copy where the backend allows it; valid until the tensor is disposed. */
export function tensorFloats(tensor: Tensor): Float32Array {
  if (getBackend() === "native") return (backend() as NativeBackend).floats(tensor);
  return tensor.dataSync<"float32">();
}
