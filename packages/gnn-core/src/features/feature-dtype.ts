import type { FeatureValues } from "../backends/native/graph-addon.ts";
import { GnnError } from "../errors/gnn-error.ts";

/** How feature values are stored; they are float32 wherever they are computed with. */
export const featureDtypes = ["fp32", "fp16", "int8"] as const;
export type FeatureDtype = (typeof featureDtypes)[number];

/** The element type of the `.npy` files, and bytes per value. */
export const storedAs = {
  fp32: { npy: "float32", bytes: 4 },
  fp16: { npy: "float16", bytes: 2 },
  int8: { npy: "int8", bytes: 1 },
} as const;

/**
 * What int8 codes mean, float32 [dim] each: value = offset + scale · (code + 128), with offset the least value of
 * the column and scale 1/255 of its range. So |value − decoded| ≤ scale/2, and the least value (often 0) is exact.
 */
export interface ColumnScale {
  readonly scale: Float32Array;
  readonly offset: Float32Array;
}

/**
 * The dtype that all arrays have (fp32 when there is none).
 *
 * @throws GnnError SHAPE_MISMATCH when they differ, or int8 codes come without a scale of `dim` columns
 */
export function dtypeOf(arrays: readonly FeatureValues[], dim: number, columns: ColumnScale | null): FeatureDtype {
  const dtypes = new Set(arrays.map(dtypeOfArray));
  const [dtype = "fp32"] = dtypes;
  if (dtypes.size > 1) {
    throw new GnnError("SHAPE_MISMATCH", `The feature segments are of types ${[...dtypes].join(", ")}; expected one.`);
  }
  if (dtype === "int8" && !(columns?.scale.length === dim && columns.offset.length === dim)) {
    const found = columns ? `${columns.scale.length} scales and ${columns.offset.length} offsets` : "no scales";
    throw new GnnError(
      "SHAPE_MISMATCH",
      `int8 features of ${dim} columns come with ${found}; expected one per column.`,
    );
  }
  return dtype;
}

function dtypeOfArray(values: FeatureValues): FeatureDtype {
  if (values instanceof Float32Array) return "fp32";
  return values instanceof Uint16Array ? "fp16" : "int8";
}
