import type { DistStore } from "../../packages/gnn-core/src/dist-store/dist-store.ts";
import { partitionedData } from "../../packages/gnn-core/src/dist-store/partitioned-data.ts";
import { splitCode } from "../../packages/gnn-core/src/graph/split-nodes.ts";
import type { TrainingData } from "../../packages/gnn-core/src/graph/training-data.ts";
import type { ArtifactDir } from "../../packages/gnn-core/src/io/manifest.ts";
import { createBlockSampler } from "../../packages/gnn-core/src/sampling/block-sampler.ts";
import { epochSeeds } from "../../packages/gnn-core/src/sampling/seed-split.ts";
import { accessProfile, cacheHotRows } from "../../packages/gnn-core/src/train/hot-rows.ts";
import { distRanks, onRanks } from "../../packages/gnn-core/test/dist-store/dist-ranks.ts";

const seed = 1;
/** The cache is filled by what the first epochs read; the batches that are counted come after all of them. */
const epochs = 1000;

export interface CountOptions {
  readonly fanouts: readonly number[];
  /** Seeds of all ranks */
  readonly batchSize: number;
  /** Batches of each rank that are counted */
  readonly numBatches: number;
  /** As `resources.remoteCache`; 0: no cache */
  readonly cacheShare: number;
}

export interface Reads {
  /** Feature rows that a rank asks of others, mean over ranks and batches */
  readonly rowsPerBatch: number;
  /** Bytes of rows, in-edges and ids that a rank receives, and of ids that it sends to ask for them; mean over ranks */
  readonly bytesPerBatch: number;
  /** Feature rows that a rank keeps, mean over ranks */
  readonly cachedRows: number;
}

/** The ranks of a partitioned graph, a part each, in this process. */
export class PartitionedRanks {
  readonly #stores: readonly DistStore[];
  readonly #data: readonly TrainingData[];

  private constructor(stores: readonly DistStore[], data: readonly TrainingData[]) {
    this.#stores = stores;
    this.#data = data;
  }

  static async open(parts: ArtifactDir, worldSize: number): Promise<PartitionedRanks> {
    const stores = distRanks(worldSize);
    return new PartitionedRanks(stores, await onRanks(stores, (store) => partitionedData(store, parts)));
  }

  /** Samples and gathers as training does, and asks the row service what went over it. */
  async count(options: CountOptions): Promise<Reads> {
    const { numBatches } = options;
    const ofRanks = await onRanks(this.#stores, (store) => this.#countOf(store, options));
    const mean = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0) / counts.length;
    return {
      rowsPerBatch: mean(ofRanks.map(({ rows }) => rows)) / numBatches,
      bytesPerBatch: mean(ofRanks.map(({ bytes }) => bytes)) / numBatches,
      cachedRows: mean(ofRanks.map(({ cached }) => cached)),
    };
  }

  async #countOf(store: DistStore, { fanouts, batchSize, numBatches, cacheShare }: CountOptions) {
    const { rank, worldSize } = store.rank;
    const { graph, features, split } = this.#data[rank] as TrainingData;
    const sampler = createBlockSampler({ graph, fanouts, replace: false, seed });
    const trainNodes = Int32Array.from(split.keys()).filter((node) => split[node] === splitCode.train);
    const seedsOf = (epoch: number) => epochSeeds(trainNodes, { seed, epoch, batchSize, rank, worldSize });
    const { own } = graph.remote as NonNullable<typeof graph.remote>;
    await cacheHotRows(features, await accessProfile({ sampler, epochs, seedsOf }, own, graph.numNodes), cacheShare);
    const before = store.counters();
    for (let epoch = epochs + 1, left = numBatches; left > 0; epoch++) {
      const batches = seedsOf(epoch).slice(0, left);
      for (const [step, seeds] of batches.entries()) {
        const [block] = await sampler.sample(seeds, { epoch, step });
        await features.gatherAsync(block?.srcIds ?? seeds);
      }
      left -= batches.length;
    }
    const cached = features.cachedSlots?.reduce((count, slot) => count + Number(slot >= 0), 0) ?? 0;
    const after = store.counters();
    return { rows: after.remoteRows - before.remoteRows, bytes: after.remoteBytes - before.remoteBytes, cached };
  }
}
