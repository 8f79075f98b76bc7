import { hasKernel, runKernel } from "../backends/run-kernel.ts";
import { type Tensor2D, tensor2d } from "../backends/tf.ts";
import type { FeatureRows } from "../features/feature-store.ts";
import { StoredRows } from "../features/stored-rows.ts";

export interface StoredAttrs {
  readonly rows: StoredRows;
}

/**
 * Dense rows as a tensor over the same memory, or gathered where the backend has the features; CSR rows are densified
 * (compositions only). The caller disposes it.
 */
export function featuresToTensor(rows: FeatureRows): Tensor2D {
  if (rows instanceof StoredRows && rows.source && hasKernel("GatherStored")) {
    return runKernel("GatherStored", {}, { rows } satisfies StoredAttrs)[0] as Tensor2D;
  }
  return tensor2d(rows.kind === "dense" ? rows.values : densify(rows), [rows.numRows, rows.dim], "float32");
}

function densify(rows: Extract<FeatureRows, { kind: "csr" }>): Float32Array {
  const { numRows, dim, indptr, indices, values } = rows;
  const dense = new Float32Array(numRows * dim);
  for (let row = 0; row < numRows; row++) {
    for (let i = indptr[row] as number; i < (indptr[row + 1] as number); i++) {
      const at = row * dim + (indices[i] as number);
      dense[at] = (dense[at] as number) + (values[i] as number);
    }
  }
  return dense;
}
