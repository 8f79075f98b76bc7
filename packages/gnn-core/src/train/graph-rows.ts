import { type Tensor2D, tidy } from "../backends/tf.ts";
import { agreeToContinue } from "../dist/agreement.ts";
import type { RankContext } from "../dist/rank-context.ts";
import type { FeatureStore } from "../features/feature-store.ts";
import type { GnnModel } from "../nn/model.ts";
import { noDropout } from "../nn/no-dropout.ts";
import { NodeLoader } from "../sampling/node-loader.ts";
import { releaseBatch } from "../sampling/release-batch.ts";
import type { Sampler } from "../sampling/sampler.ts";
import { globalBatches, rankSeeds } from "../sampling/seed-split.ts";
import { nodesOfGraphs, poolBlock } from "../whole-graphs/pool-block.ts";
import { layersInOrder } from "./forward-pass.ts";
import type { LearntGraphs } from "./graph-epoch.ts";
import type { TrainBatch } from "./train-step.ts";

export interface GraphRowsParts {
  readonly model: GnnModel;
  readonly features: FeatureStore;
  /** Gives whole graphs */
  readonly sampler: Sampler;
  readonly samplerThreads: number;
  /** Graphs at a time, over all ranks */
  readonly batchSize: number;
  readonly rank: RankContext;
  readonly signal: AbortSignal;
  readonly onProgress?: () => void;
}

/** Rows of some graphs of this rank */
export interface GraphRows {
  readonly graphs: Int32Array;
  /** float32 [graphs, dim]: what was read out */
  readonly embeddings: Float32Array;
  /** float32 [graphs, outDim] */
  readonly outputs: Float32Array;
}

/**
 * Exact rows of graphs with the present weights, a batch of whole graphs at a time; memory is that of a batch.
 *
 * @param graphs the same on every rank, each of which tells its share to `onRows`
 * @throws GnnError CANCELLED on every rank when the signal of one is aborted
 */
export async function forGraphRows(
  parts: GraphRowsParts,
  { head, offsets }: Pick<LearntGraphs, "head" | "offsets">,
  graphs: Int32Array,
  onRows: (rows: GraphRows) => void,
): Promise<void> {
  const { rank, signal } = parts;
  const batches = globalBatches(graphs, parts.batchSize).map((batch) => rankSeeds(batch, rank.rank, rank.worldSize));
  const loader = new NodeLoader({
    sampler: parts.sampler,
    features: parts.features,
    labels: null,
    batches: batches.map((own, step) => ({ seeds: nodesOfGraphs(own, offsets), epoch: 0, step })),
    threads: parts.samplerThreads,
  });
  const pass = layersInOrder(parts.model);
  for await (const batch of loader) {
    if (signal.aborted) break; // the others hear of it below
    if (batch.seeds.length > 0) {
      const [embedding, output] = tidy(() => {
        const { pool, graphs: rows } = poolBlock(batch.seeds, offsets);
        const read = head.embed(pool, pass.forward(batch as TrainBatch, noDropout));
        return [read, head.apply(read, rows, noDropout)] as [Tensor2D, Tensor2D];
      });
      onRows({
        graphs: batches[batch.step] as Int32Array,
        embeddings: embedding.dataSync<"float32">(),
        outputs: output.dataSync<"float32">(),
      });
      embedding.dispose();
      output.dispose();
    }
    releaseBatch(batch);
    parts.onProgress?.();
  }
  await agreeToContinue(rank.collective, signal);
}
