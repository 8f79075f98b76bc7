import { nativeSync } from "../native/native-error.ts";
import { registerKernel, type TensorInfo } from "../tf.ts";
import type { CudaBackend } from "./cuda-backend.ts";
import type { FloatsHandle } from "./memory-addon.ts";

export interface PeerSumAttrs {
  /** Enqueues: the values become their sum over the devices of all ranks */
  readonly addUp: (values: FloatsHandle) => void;
}

/** A tensor's sum over the devices of all ranks, in memory of its own; no gradient. */
export function registerPeerSum(): void {
  registerKernel({
    kernelName: "PeerSum",
    backendName: "cuda",
    kernelFunc: ({ inputs, attrs, backend }) => {
      const cuda = backend as CudaBackend;
      const x = inputs["x"] as TensorInfo;
      const enqueue = () => {
        const out = cuda.allocate(x.shape);
        cuda.copy(cuda.floats(x), out.values);
        (attrs as unknown as PeerSumAttrs).addUp(out.values);
        return out.info;
      };
      return nativeSync(() => cuda.uploads.call(enqueue));
    },
  });
}
