import type { ShapedGraph } from "../../packages/gnn-core/src/generate/shaped-graph.ts";
import { splitCode } from "../../packages/gnn-core/src/graph/split-nodes.ts";
import { epochSeeds } from "../../packages/gnn-core/src/sampling/seed-split.ts";

export interface SeedBatch {
  readonly epoch: number;
  readonly step: number;
  readonly seeds: Int32Array;
}

/** Full batches of training nodes, epoch after epoch. */
export function* seedBatches({ split }: ShapedGraph, batchSize: number, seed: number): Generator<SeedBatch, never> {
  const trainNodes = Int32Array.from(split.keys()).filter((node) => split[node] === splitCode.train);
  if (trainNodes.length < batchSize) throw new Error(`There are ${trainNodes.length} training nodes; lower --batch.`);
  for (let epoch = 0; ; epoch++) {
    const batches = epochSeeds(trainNodes, { seed, epoch, batchSize, rank: 0, worldSize: 1 });
    for (const [step, seeds] of batches.entries()) {
      if (seeds.length === batchSize) yield { epoch, step, seeds };
    }
  }
}
