import { join } from "node:path";
import { type WrittenArray, writeNpy } from "../io/npy.ts";
import { mapNpy } from "../io/npy-map.ts";
import type { ColumnScale } from "./feature-dtype.ts";

const scaleFile = "features_scale.npy";
const offsetFile = "features_offset.npy";

/** Writes what int8 codes mean: two float32 arrays with a value per column. */
export async function writeColumnScale(dir: string, { scale, offset }: ColumnScale): Promise<WrittenArray[]> {
  await writeNpy(join(dir, scaleFile), "float32", [scale.length], scale);
  await writeNpy(join(dir, offsetFile), "float32", [offset.length], offset);
  return [scaleFile, offsetFile].map((name) => ({ name, dtype: "float32", shape: [scale.length] }));
}

/** @throws GnnError DATASET_FILE_MISSING, DATASET_FORMAT_INVALID */
export function readColumnScale(dir: string): ColumnScale {
  return {
    scale: mapNpy(join(dir, scaleFile), "float32").values,
    offset: mapNpy(join(dir, offsetFile), "float32").values,
  };
}
