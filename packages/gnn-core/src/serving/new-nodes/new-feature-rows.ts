import { CsrFeatureStore } from "../../features/csr-feature-store.ts";
import { DenseFeatureStore } from "../../features/dense-feature-store.ts";
import type { FeatureStore } from "../../features/feature-store.ts";

/**
 * A mapped matrix with further rows behind its own; nothing of it is copied.
 *
 * @param stored of one segment: values, or indptr, indices and values
 * @param rows float32 [n, dim]
 */
export function withNewRows({ dim, kind, mapped = [] }: FeatureStore, rows: Float32Array): FeatureStore {
  if (kind === "dense") return new DenseFeatureStore(dim, [...(mapped as readonly Float32Array[]), rows]);
  const [indptr, indices, values] = mapped as unknown as readonly [BigInt64Array, Int32Array, Float32Array];
  return new CsrFeatureStore(dim, [{ indptr, indices, values }, sparse(rows, dim)]);
}

function sparse(rows: Float32Array, dim: number) {
  const numRows = rows.length / dim;
  const indptr = new BigInt64Array(numRows + 1);
  const [indices, values]: number[][] = [[], []];
  for (let row = 0; row < numRows; row++) {
    for (let column = 0; column < dim; column++) {
      const value = rows[row * dim + column] as number;
      if (value === 0) continue;
      indices!.push(column);
      values!.push(value);
    }
    indptr[row + 1] = BigInt(values!.length);
  }
  return { indptr, indices: Int32Array.from(indices!), values: Float32Array.from(values!) };
}
