import type { FeatureStore } from "../features/feature-store.ts";
import type { NodeRange } from "../graph/csc-graph.ts";
import type { Sampler } from "../sampling/sampler.ts";

/** Batches that are drawn to learn which rows are asked for; three times as many leave a twentieth less to be read. */
const maxBatches = 64;

export interface AccessProfile {
  /** GlobalIds of other ranks' rows that were read, most often first; equal ones by id */
  readonly remote: Int32Array;
  /** Reads of each */
  readonly reads: Int32Array;
}

/** The batches that are drawn for a profile */
export interface ProfiledBatches {
  readonly sampler: Sampler;
  /** Epochs of the training: no more are looked at */
  readonly epochs: number;
  /** Seeds of each step of an epoch (from 1), of this rank */
  readonly seedsOf: (epoch: number) => Iterable<Int32Array>;
}

/**
 * Which rows of other ranks a rank's batches read, by drawing the first ones (presampling: Yang et al. 2022, GNNLab,
 * doi:10.1145/3492321.3519557). A function of the seed: the draws are those of training. Where epochs are short,
 * several are drawn: in few batches most rows are read once or not at all, which does not tell those that are read
 * often.
 */
export async function accessProfile(
  { sampler, epochs, seedsOf }: ProfiledBatches,
  { first, count }: NodeRange,
  numNodes: number,
): Promise<AccessProfile> {
  const reads = new Int32Array(numNodes);
  for (let epoch = 1, left = maxBatches; epoch <= epochs && left > 0; epoch++) {
    let step = 0;
    for (const seeds of seedsOf(epoch)) {
      const [block] = await sampler.sample(seeds, { epoch, step });
      for (const node of block?.srcIds ?? seeds) reads[node] = (reads[node] as number) + 1;
      step += 1;
      if (step === left) break;
    }
    if (step === 0) break; // without training nodes no epoch has any
    left -= step;
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
