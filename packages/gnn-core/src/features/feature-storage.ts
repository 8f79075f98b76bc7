/** Where feature rows are read from while training. Either way the ranks of a host share one copy. */
export const featureStorages = ["auto", "memory", "mapped"] as const;
export type FeatureStorage = (typeof featureStorages)[number];

/** `memory` when the features take no more than half of the memory that is free, else `mapped`. */
export function chooseStorage(storage: FeatureStorage, bytes: number, freeBytes: number): "memory" | "mapped" {
  if (storage !== "auto") return storage;
  return bytes * 2 <= freeBytes ? "memory" : "mapped";
}
