import { join } from "node:path";
import type { LabelSets } from "../graph/label-sets.ts";
import { type WrittenArray, writeNpy } from "./npy.ts";
import { mapNpy } from "./npy-map.ts";

/** Files of the labels of one folder: `labels/{indptr int32, indices int32, known int8}.npy` */
const names = { indptr: "labels/indptr.npy", indices: "labels/indices.npy", known: "labels/known.npy" } as const;

/** @param folder below `dir`, e.g. `nodes` or `part0` @returns the files written */
export async function writeLabelSets(
  dir: string,
  folder: string,
  { indptr, indices, known }: LabelSets,
): Promise<WrittenArray[]> {
  const at = (name: string) => `${folder}/${name}`;
  await writeNpy(join(dir, at(names.indptr)), "int32", [indptr.length], indptr);
  await writeNpy(join(dir, at(names.indices)), "int32", [indices.length], indices);
  await writeNpy(join(dir, at(names.known)), "int8", [known.length], known);
  return [
    { name: at(names.indices), dtype: "int32", shape: [indices.length] },
    { name: at(names.indptr), dtype: "int32", shape: [indptr.length] },
    { name: at(names.known), dtype: "int8", shape: [known.length] },
  ];
}

/** The labels of a folder, mapped. @throws GnnError DATASET_FILE_MISSING, DATASET_FORMAT_INVALID */
export function mapLabelSets(folder: string, numClasses: number): LabelSets {
  const { values: known } = mapNpy(join(folder, names.known), "int8");
  return {
    numNodes: known.length,
    numClasses,
    indptr: mapNpy(join(folder, names.indptr), "int32").values,
    indices: mapNpy(join(folder, names.indices), "int32").values,
    known,
  };
}
