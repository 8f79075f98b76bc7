import { join } from "node:path";
import { mapNpy } from "../graph/npy-map.ts";
import { CsrFeatureStore } from "./csr-feature-store.ts";
import { DenseFeatureStore } from "./dense-feature-store.ts";
import type { FeatureStore } from "./feature-store.ts";

/**
 * Feature rows from `<stem>.npy` (dense) or `<stem>/{indptr,indices,data}.npy` (CSR), one stem per segment.
 */
export function mapFeatures(
  features: { readonly kind: "none" | "dense" | "csr"; readonly dim: number },
  stems: readonly string[],
): FeatureStore | null {
  if (features.kind === "none") return null;
  if (features.kind === "dense") {
    const segments = stems.map((stem) => mapNpy(`${stem}.npy`, "float32").values);
    return new DenseFeatureStore(features.dim, segments);
  }
  const segments = stems.map((stem) => ({
    indptr: mapNpy(join(stem, "indptr.npy"), "int64").values,
    indices: mapNpy(join(stem, "indices.npy"), "int32").values,
    values: mapNpy(join(stem, "data.npy"), "float32").values,
  }));
  return new CsrFeatureStore(features.dim, segments);
}
