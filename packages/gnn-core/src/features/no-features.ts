import type { FeatureRows, FeatureStore } from "./feature-store.ts";

/** The features of a graph that has none: rows without columns. */
export function noFeatures(numRows: number): FeatureStore {
  const gather = (ids: Int32Array): FeatureRows => ({
    kind: "dense",
    numRows: ids.length,
    dim: 0,
    values: new Float32Array(),
  });
  return { numRows, dim: 0, kind: "dense", gather, gatherAsync: (ids) => Promise.resolve(gather(ids)) };
}
