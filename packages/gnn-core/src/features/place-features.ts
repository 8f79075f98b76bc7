import { loadAddon } from "../backends/native/addon.ts";
import { native } from "../backends/native/native-error.ts";
import { chooseStorage, type FeatureStorage } from "./feature-storage.ts";
import type { FeatureStore } from "./feature-store.ts";

/**
 * Prepares mapped features for training. `memory` reads every page now, so that no batch waits for the disk;
 * `mapped` tells the kernel not to read ahead, which suits features larger than memory. The pages are the file's own
 * in both cases: each rank sees the same ones, and none has a copy. A store in the
 * process's own memory stays as it is.
 *
 * @returns what was chosen
 */
export async function placeFeatures(
  { mapped: arrays = [] }: FeatureStore,
  storage: FeatureStorage,
): Promise<"memory" | "mapped"> {
  const bytes = arrays.reduce((sum, { byteLength }) => sum + byteLength, 0);
  const chosen = chooseStorage(storage, bytes, process.availableMemory());
  for (const array of arrays) await native(() => loadAddon().adviseMapped(array, chosen === "memory"));
  return chosen;
}
