import { nativeSync } from "../native/native-error.ts";
import { type NamedAttrMap, registerKernel, type TensorInfo } from "../tf.ts";
import type { CudaBackend } from "./cuda-backend.ts";

/** Counts hits without reading the outputs back; the processor's backends look at the outputs themselves. */
export function registerCountHits(): void {
  registerKernel({
    kernelName: "CountHits",
    backendName: "cuda",
    kernelFunc: ({ inputs, attrs, backend }) =>
      countHits(inputs["logits"] as TensorInfo, attrs, backend as CudaBackend),
  });
}

function countHits(logits: TensorInfo, attrs: NamedAttrMap | undefined, backend: CudaBackend): TensorInfo {
  const { labels } = attrs as unknown as { labels: Int32Array };
  const [rows, classes] = logits.shape as [number, number];
  const enqueue = () => {
    const hits = backend.allocate([]);
    backend.addon.countHits(rows, classes, backend.floats(logits), backend.constantInts(labels), hits.values);
    return hits.info;
  };
  return nativeSync(() => backend.uploads.call(enqueue));
}
