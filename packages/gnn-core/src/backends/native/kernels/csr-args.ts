import type { LinearCsrAttrs } from "../../../ops/linear.ts";
import type { ArrayTypes, KernelMemory } from "../../memory.ts";

/** The arrays of CSR rows as kernels take them. */
export function csrOf<M extends ArrayTypes>(
  backend: KernelMemory<M>,
  { indptr, indices, values }: LinearCsrAttrs["rows"],
): { indptr: M["ints"]; indices: M["ints"]; values: M["floats"] } {
  return {
    indptr: backend.constantInts(indptr),
    indices: backend.constantInts(indices),
    values: backend.constant(values),
  };
}
