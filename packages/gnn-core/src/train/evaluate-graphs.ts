import type { TrainingData } from "../graph/training-data.ts";
import type { EvaluatedRun } from "./evaluate-run.ts";
import { countedSplit, countRow, reduced, type SplitEvaluation } from "./evaluator.ts";
import type { LearntGraphs } from "./graph-epoch.ts";
import { forGraphRows, type GraphRowsParts } from "./graph-rows.ts";
import type { ResolvedSetup } from "./trainer-setup.ts";

type GraphRun = Omit<EvaluatedRun, "task" | "pass">;

/**
 * Metrics of whole graphs, each computed from all of its nodes. All ranks return the same numbers.
 *
 * @throws GnnError CANCELLED on every rank when the signal of one is aborted
 */
export async function evaluateGraphs<Split extends "val" | "test">(
  { model, data, sampler, setup, fit, step }: GraphRun,
  learnt: LearntGraphs,
  splits: readonly Split[],
  withRanking: boolean,
): Promise<Record<Split, SplitEvaluation>> {
  const { rank, sharedRows } = setup;
  const { task } = learnt;
  const onProgress = () => fit.reporter.tick(step);
  const isOneHost = (rank.numHosts ?? 1) === 1;
  // Ranks that share no memory fill rows of their own, which are added up.
  const scoresOf = (split: "train" | "val" | "test", length: number) =>
    isOneHost ? sharedRows(`scores-${split}`, length) : new Float32Array(length);
  const counted = splits.map((split) => countedSplit({ task, scoresOf: withRanking ? scoresOf : undefined }, split));
  const parts = { ...graphRowsParts(setup, { model, data, sampler }), signal: fit.signal, onProgress };
  for (const each of counted) {
    await forGraphRows(parts, learnt, task.seedsOf(each.split), ({ graphs, outputs }) => {
      for (const [row, graph] of graphs.entries()) countRow(each, outputs, row, graph);
    });
  }
  return reduced({ rank, onClass: onProgress, addsUpScores: !isOneHost }, counted);
}

/** What rows of graphs are computed with. */
export function graphRowsParts(
  { rank, options }: ResolvedSetup,
  { model, data, sampler }: Pick<GraphRun, "model" | "sampler"> & { readonly data: TrainingData },
): Omit<GraphRowsParts, "signal"> {
  const { samplerThreads, train } = options;
  return { model, sampler, features: data.features, samplerThreads, batchSize: train.batchSize, rank };
}
