import type { TrainingData } from "../graph/training-data.ts";
import type { GnnModel } from "../nn/model.ts";
import type { Sampler } from "../sampling/sampler.ts";
import type { NodeTask } from "../tasks/node-task.ts";
import { evaluateSampled } from "./evaluate-sampled.ts";
import { type EvaluatedSplit, evaluate, type SplitEvaluation } from "./evaluator.ts";
import type { FitRun } from "./fit-run.ts";
import type { ForwardPass } from "./forward-pass.ts";
import type { ResolvedSetup } from "./trainer-setup.ts";

/** Metrics as events and logs name them: `val/accuracy`; null when there was nothing to count. */
export type NamedMetrics = Record<string, number | null>;

export interface EvaluatedRun {
  readonly model: GnnModel;
  readonly task: NodeTask;
  readonly data: TrainingData;
  /** Draws from the whole graph, for sampled evaluation */
  readonly sampler: Sampler;
  readonly setup: ResolvedSetup;
  readonly fit: FitRun;
  /** What exact inference may begin with instead of the graph */
  readonly pass: Pick<ForwardPass, "firstLayer">;
  /** Steps finished, for the ranks' signs of life */
  readonly step: number;
}

export interface EvaluationMode {
  /** layerwise: exact, every node from its whole neighbourhood; sampled: an estimate from drawn neighbours */
  readonly mode: "layerwise" | "sampled";
  /** Adds ROC-AUC and the like, which need the scores of all nodes in order */
  readonly withRanking: boolean;
}

/** Evaluates with the run's shared memory for hidden rows and scores. */
export function evaluateRun<Split extends EvaluatedSplit>(
  { model, task, data, sampler, setup, fit, pass, step }: EvaluatedRun,
  splits: readonly Split[],
  { mode, withRanking }: EvaluationMode,
): Promise<Record<Split, SplitEvaluation>> {
  const { rank, sharedRows, options } = setup;
  const onProgress = () => fit.reporter.tick(step);
  // Ranks that share no memory fill rows of their own, which are added up.
  const scoresOf = (split: EvaluatedSplit, length: number) =>
    data.graph.remote || (rank.numHosts ?? 1) > 1 ? new Float32Array(length) : sharedRows(`scores-${split}`, length);
  const common = {
    model,
    task,
    data,
    rank,
    signal: fit.signal,
    onProgress,
    scoresOf: withRanking ? scoresOf : undefined,
  };
  if (mode === "sampled") {
    const { samplerThreads, train } = options;
    return evaluateSampled({ ...common, sampler, samplerThreads, batchSize: train.batchSize }, splits);
  }
  const isLast = (layer: number) => layer === model.layers.length - 1;
  const outputOf = (layer: number, dim: number) =>
    isLast(layer) ? null : sharedRows(`hidden-${layer}`, data.graph.numNodes * dim);
  const projectedOf = (dim: number) => sharedRows(`projected-${dim}`, data.graph.numNodes * dim);
  return evaluate({ ...common, onClass: onProgress, outputOf, projectedOf, firstLayer: pass.firstLayer }, splits);
}

export function namedMetrics(split: EvaluatedSplit, metrics: object): NamedMetrics {
  return Object.fromEntries(Object.entries(metrics).map(([name, value]) => [`${split}/${name}`, value]));
}
