import type { FeaturesHandle } from "./native/graph-addon.ts";

/** A dense matrix as its store was given it, for backends that copy it to where they compute. */
export interface FeatureMatrix {
  readonly numRows: number;
  readonly dim: number;
  /** Rows one behind the other, perhaps mapped from disk */
  readonly segments: readonly NodeJS.TypedArray[];
}

const known = new WeakMap<FeaturesHandle, FeatureMatrix>();

/** Remembers the matrix of a native handle, as long as that lives. */
export function noteMatrix(handle: FeaturesHandle, matrix: FeatureMatrix): void {
  known.set(handle, matrix);
}

export function matrixOf(handle: FeaturesHandle): FeatureMatrix | null {
  return known.get(handle) ?? null;
}
