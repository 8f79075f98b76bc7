import { join } from "node:path";
import { mapNpy } from "../io/npy-map.ts";
import { readColumnScale } from "./column-scale-files.ts";
import { CsrFeatureStore } from "./csr-feature-store.ts";
import { DenseFeatureStore } from "./dense-feature-store.ts";
import { type FeatureDtype, storedAs } from "./feature-dtype.ts";
import type { FeatureStore } from "./feature-store.ts";

/**
 * Feature rows from `<stem>.npy` (dense) or `<stem>/{indptr,indices,data}.npy` (CSR), one stem per segment.
 *
 * @param scaleDir folder of `features_{scale,offset}.npy`, which int8 features need
 */
export function mapFeatures(
  features: { readonly kind: "none" | "dense" | "csr"; readonly dim: number; readonly dtype?: FeatureDtype },
  stems: readonly string[],
  scaleDir: string,
): FeatureStore | null {
  const { kind, dim, dtype = "fp32" } = features;
  if (kind === "none") return null;
  const { npy } = storedAs[dtype];
  const columns = dtype === "int8" ? readColumnScale(scaleDir) : null;
  if (kind === "dense") {
    const segments = stems.map((stem) => mapNpy(`${stem}.npy`, npy).values);
    return Object.assign(new DenseFeatureStore(dim, segments, columns), { mapped: segments });
  }
  const segments = stems.map((stem) => ({
    indptr: mapNpy(join(stem, "indptr.npy"), "int64").values,
    indices: mapNpy(join(stem, "indices.npy"), "int32").values,
    values: mapNpy(join(stem, "data.npy"), npy).values,
  }));
  const mapped = segments.flatMap(({ indptr, indices, values }) => [indptr, indices, values]);
  return Object.assign(new CsrFeatureStore(dim, segments, columns), { mapped });
}
