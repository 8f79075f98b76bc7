import { join } from "node:path";
import type { ArtifactDir } from "../io/manifest.ts";
import { mapNpy } from "../io/npy-map.ts";

/**
 * The nodes of a stored graph in the order of learned rows: by the GlobalIds of the parts that a model was trained on.
 *
 * @param parts of which `node_map.npy` is there
 */
export function learnedOrderOf({ dir }: ArtifactDir): Int32Array {
  return mapNpy(join(dir, "node_map.npy"), "int32").values;
}
