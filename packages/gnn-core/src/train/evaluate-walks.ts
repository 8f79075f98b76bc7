import { tidy } from "../backends/tf.ts";
import { layerwiseInference } from "../infer/layerwise-inference.ts";
import { epochOrder, globalBatches } from "../sampling/seed-split.ts";
import { skipGramLoss } from "../walks/walk-objective.ts";
import { walkPairs } from "../walks/walk-pairs.ts";
import type { EvaluatedRun } from "./evaluate-run.ts";
import type { SplitEvaluation } from "./evaluator.ts";
import { pickedRows } from "./picked-rows.ts";
import { probeRows } from "./probe-rows.ts";
import type { WalkLearning } from "./walk-learning.ts";

type WalkRun = Omit<EvaluatedRun, "task" | "sampler">;

/** The walks of evaluations are those of no epoch, so that values of different epochs compare. */
const fixedEpoch = 0;

/**
 * The loss of one walk from each node, the same in every evaluation of a run and taken in none of its epochs, as
 * `val/loss`. At the end, where the data have one class per node and a split, also what a linear probe tells of val and
 * test. Memory: that of inference and float32 [numNodes, dim], which the ranks of a host share.
 *
 * @throws GnnError CANCELLED on every rank when the signal of one is aborted
 */
export async function evaluateWalks<Split extends "val" | "test">(
  run: WalkRun,
  learnt: WalkLearning,
  splits: readonly Split[],
  withProbe: boolean,
): Promise<Record<Split, SplitEvaluation>> {
  const rows = await rowsOf(run, learnt.dim);
  const loss = await lossOf(run, learnt, rows);
  const found = withProbe ? await probeRows(run.data, rows, learnt.dim, run.setup.rank) : null;
  const metrics = {
    val: { loss, ...(found && { probeAccuracy: found.val }) },
    test: { ...(found && { probeAccuracy: found.test }) },
  };
  // No rank goes on to overwrite the shared rows while another one reads them.
  await run.setup.rank.collective.barrier();
  const evaluated = splits.map((split) => [split, { metrics: metrics[split], confusion: null }] as const);
  return Object.fromEntries(evaluated) as unknown as Record<Split, SplitEvaluation>;
}

/** Mean over the pairs that were met. The ranks take batches in turn. */
async function lossOf(
  { data, setup: { rank, options }, fit, step }: WalkRun,
  { starts, options: ofPairs, dim }: WalkLearning,
  rows: Float32Array,
): Promise<number> {
  const { seed, batchSize } = options.train;
  const batches = globalBatches(epochOrder(starts, seed, fixedEpoch), batchSize);
  const sums = new Float32Array(2 * batches.length);
  for (let i = rank.rank; i < batches.length; i += rank.worldSize) {
    const once = { ...ofPairs, perNode: 1 };
    const pairs = await walkPairs(data.graph, batches[i] as Int32Array, once, { seed, epoch: fixedEpoch });
    const lossSum = tidy(() => {
      const ofNodes = pickedRows(rows, dim, pairs.nodes);
      return skipGramLoss(pairs).lossSum(ofNodes, pairs.nodes).dataSync<"float32">()[0] as number;
    });
    sums.set([lossSum, pairs.numPositives], 2 * i);
    fit.reporter.tick(step);
  }
  await rank.collective.allReduceSum(sums);
  const total = (offset: number) => sums.reduce((sum, value, i) => (i % 2 === offset ? sum + value : sum), 0);
  return total(0) / Math.max(1, total(1));
}

/** Rows of all nodes: the same memory for every rank of the host. */
async function rowsOf({ model, data, setup, fit, step }: WalkRun, dim: number): Promise<Float32Array> {
  const { rank, sharedRows } = setup;
  const { graph, features } = data;
  const numbers = (name: string, width: number) => sharedRows(name, graph.numNodes * width);
  const last = model.layers.length - 1;
  await layerwiseInference({
    model,
    graph,
    features,
    rank,
    signal: fit.signal,
    onProgress: () => fit.reporter.tick(step),
    outputOf: (layer, width) => numbers(layer === last ? "walked" : `hidden-${layer}`, width),
    projectedOf: (width) => numbers(`projected-${width}`, width),
  });
  return numbers("walked", dim);
}
