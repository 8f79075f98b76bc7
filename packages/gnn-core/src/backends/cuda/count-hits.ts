import type { CountLabelsAttrs } from "../../ops/count-labels.ts";
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
  registerKernel({
    kernelName: "CountLabels",
    backendName: "cuda",
    kernelFunc: ({ inputs, attrs, backend }) =>
      countLabels(inputs["outputs"] as TensorInfo, attrs, backend as CudaBackend),
  });
}

function countLabels(outputs: TensorInfo, attrs: NamedAttrMap | undefined, backend: CudaBackend): TensorInfo[] {
  const { targets, cuts } = attrs as unknown as CountLabelsAttrs;
  const [rows, classes] = outputs.shape as [number, number];
  const enqueue = () => {
    const counts = [backend.allocate([]), backend.allocate([])] as const;
    const [wanted, from] = [backend.constant(targets), backend.constant(cuts)];
    const [hits, trials] = counts;
    backend.addon.countLabels(rows, classes, backend.floats(outputs), wanted, from, hits.values, trials.values);
    return counts.map(({ info }) => info);
  };
  return nativeSync(() => backend.uploads.call(enqueue));
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
