import { join } from "node:path";
import { type RowInitializer } from "../dist-store/initializers.ts";
import { GnnError } from "../errors/gnn-error.ts";
import type { ArtifactDir } from "../io/manifest.ts";
import { mapNpy } from "../io/npy-map.ts";
import { vectorsInfo } from "../spec/vector-options.ts";

/** Vectors that learned rows begin with, by GlobalId; the rows of nodes without one begin as usual. */
export interface StartVectors {
  /** float32 [numNodes, dim] */
  readonly values: Float32Array;
  /** int8 [numNodes]: 1 where the node has one */
  readonly known: Int8Array;
  /** Whether these rows stay as they are; all others learn */
  readonly frozen: boolean;
}

/** @throws GnnError MANIFEST_INVALID when the artifact is no `vectors` */
export function readStartVectors({ dir, manifest }: ArtifactDir, frozen: boolean): StartVectors {
  if (!vectorsInfo.safeParse(manifest.info).success) {
    throw new GnnError("MANIFEST_INVALID", `${dir}: the manifest is not that of vectors; run the step again.`);
  }
  const values = mapNpy(join(dir, "vectors.npy"), "float32").values;
  return { values, known: mapNpy(join(dir, "known.npy"), "int8").values, frozen };
}

/**
 * The vectors as the first values of rows.
 *
 * @param usual of the nodes without one
 * @throws GnnError SHAPE_MISMATCH when there are not `dim` numbers for each node
 */
export function vectorRows(
  { values, known }: StartVectors,
  { numNodes, dim }: { readonly numNodes: number; readonly dim: number },
  usual: RowInitializer,
): RowInitializer {
  if (values.length !== numNodes * dim || known.length !== numNodes) {
    const found = `${values.length} numbers and ${known.length} marks`;
    throw new GnnError("SHAPE_MISMATCH", `Vectors of ${found}; expected ${numNodes} × ${dim}, and ${numNodes}.`);
  }
  return {
    key: `vectors, else ${usual.key}`,
    fill: (node, row) => {
      if (known[node]) row.set(values.subarray(node * dim, (node + 1) * dim));
      else usual.fill(node, row);
    },
  };
}
