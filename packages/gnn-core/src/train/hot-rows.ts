import type { FeatureStore } from "../features/feature-store.ts";
import type { NodeRange } from "../graph/csc-graph.ts";
import type { Sampler } from "../sampling/sampler.ts";

/** Batches that are drawn to learn which rows are asked for; beyond them the order hardly changes. */
const maxBatches = 64;

export interface AccessProfile {
  /** GlobalIds of other ranks' rows that were read, most often first; equal ones by id */
  readonly remote: Int32Array;
  /** Reads of each */
  readonly reads: Int32Array;
}

/**
 * Which rows of other ranks a rank's batches read, by drawing the first epoch's (presampling: Yang et al. 2022, GNNLab,
 * doi:10.1145/3492321.3519557). A function of the seed: the draws are those of training.
 *
 * @param batches seeds of each step of the epoch, of this rank
 */
export async function accessProfile(
  sampler: Sampler,
  batches: readonly Int32Array[],
  { first, count }: NodeRange,
  numNodes: number,
): Promise<AccessProfile> {
  const reads = new Int32Array(numNodes);
  for (const [step, seeds] of batches.slice(0, maxBatches).entries()) {
    const [block] = await sampler.sample(seeds, { epoch: 1, step });
    for (const node of block?.srcIds ?? seeds) reads[node] = (reads[node] as number) + 1;
  }
  reads.fill(0, first, first + count);
  const remote = Int32Array.from(reads.keys()).filter((node) => (reads[node] as number) > 0);
  remote.sort((a, b) => (reads[b] as number) - (reads[a] as number) || a - b);
  return { remote, reads: remote.map((node) => reads[node] as number) };
}

/** Keeps the share of a profile's rows that is read most. */
export async function cacheHotRows(rows: FeatureStore, { remote }: AccessProfile, share: number): Promise<void> {
  await rows.cache?.(remote.slice(0, Math.round(share * remote.length)));
}
