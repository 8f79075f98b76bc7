import type { StoredAttrs } from "../../ops/features-to-tensor.ts";
import { nativeSync } from "../native/native-error.ts";
import { type NamedAttrMap, registerKernel, type TensorInfo } from "../tf.ts";
import type { CudaBackend } from "./cuda-backend.ts";

/** Stored feature rows as a tensor, dropped elements and all, without a copy on the host. */
export function registerGatherStored(): void {
  registerKernel({
    kernelName: "GatherStored",
    backendName: "cuda",
    kernelFunc: ({ attrs, backend }) => gatherStored(attrs, backend as CudaBackend),
  });
}

function gatherStored(attrs: NamedAttrMap | undefined, backend: CudaBackend): TensorInfo {
  const { rows } = attrs as unknown as StoredAttrs;
  const enqueue = () => {
    const out = backend.allocate([rows.numRows, rows.dim]);
    backend.copy(backend.storedRows(rows), out.values);
    return out.info;
  };
  return nativeSync(() => backend.uploads.call(enqueue));
}
