import type { FeaturesHandle } from "./native/graph-addon.ts";

/** A dense matrix as its store was given it, for backends that read it where they compute. */
export interface FeatureMatrix {
  readonly numRows: number;
  readonly dim: number;
  /** Rows one behind the other, perhaps mapped from disk: float32, binary16 bits or int8 codes */
  readonly segments: readonly NodeJS.TypedArray[];
  /** What int8 codes mean, float32 [dim] each; null for other types */
  readonly columns: { readonly scale: Float32Array; readonly offset: Float32Array } | null;
  /** Whether they are no features but rows that a model has made of them */
  readonly isMade: boolean;
}

const known = new WeakMap<FeaturesHandle, FeatureMatrix>();

/** Remembers the matrix of a native handle, as long as that lives. */
export function noteMatrix(handle: FeaturesHandle, matrix: FeatureMatrix): void {
  known.set(handle, matrix);
}

export function matrixOf(handle: FeaturesHandle): FeatureMatrix | null {
  return known.get(handle) ?? null;
}
