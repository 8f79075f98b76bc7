import type { HostRanks } from "../components/define-step.ts";
import type { Manifest } from "../io/manifest.ts";
import { parsePartsInfo } from "../spec/parts-info.ts";
import { evenOffsets } from "./row-schema.ts";

/**
 * How the names of the blobs begin that ranks open of `parts` when each holds its own alone: their folders, and what
 * int8 codes mean. Ranks take equal numbers of parts, in order. Links to learn and labelled edges are stored by
 * NodeIndex, so the map of nodes is there for every step alike: a host fetches its parts once for all of them.
 *
 * @returns null when the ranks are all there are: one host then has every part
 * @throws GnnError MANIFEST_INVALID
 */
export function ownPartBlobs(parts: Manifest, { firstRank, ranks, worldSize }: HostRanks): string[] | null {
  if (ranks === worldSize) return null;
  const partOffsets = evenOffsets(numPartsOf(parts), worldSize);
  const first = partOffsets[firstRank] as number;
  const end = partOffsets[firstRank + ranks] as number;
  // What is known of whole graphs is small, and every rank reads it.
  return ["features_scale.npy", "features_offset.npy", "node_map.npy", "graphs/", ...foldersOf(first, end)];
}

/**
 * Those that bring rows back into the order of the ids: the map, and labels and split of every part.
 *
 * @throws GnnError MANIFEST_INVALID
 */
export function nodeMapBlobs(parts: Manifest): string[] {
  const folders = foldersOf(0, numPartsOf(parts));
  return ["node_map.npy", "graphs/", ...folders.flatMap((folder) => [`${folder}labels.npy`, `${folder}split.npy`])];
}

function numPartsOf(manifest: Manifest): number {
  return parsePartsInfo({ dir: "An input", manifest }).numParts;
}

function foldersOf(first: number, end: number): string[] {
  return Array.from({ length: end - first }, (_, i) => `part${first + i}/`);
}
