import type { GnnModel } from "../nn/model.ts";
import { type EvaluatedSplit, evaluate, type SplitEvaluation } from "./evaluator.ts";
import type { FitRun } from "./fit-run.ts";
import type { ForwardPass } from "./forward-pass.ts";
import type { ResolvedSetup } from "./trainer-setup.ts";
import type { TrainingData } from "./training-data.ts";

/** Metrics as events and logs name them: `val/accuracy`; null when there was nothing to count. */
export type NamedMetrics = Record<string, number | null>;

export interface EvaluatedRun {
  readonly model: GnnModel;
  readonly data: TrainingData;
  readonly classWeights: Float32Array;
  readonly setup: ResolvedSetup;
  readonly fit: FitRun;
  readonly pass: Pick<ForwardPass, "firstLayer">;
  /** Steps finished, for the ranks' signs of life */
  readonly step: number;
}

/** Evaluates with the run's shared memory for hidden rows and scores. @param withRanking also ROC-AUC and the like */
export function evaluateRun<Split extends EvaluatedSplit>(
  { model, data, classWeights, setup, fit, pass, step }: EvaluatedRun,
  splits: readonly Split[],
  withRanking: boolean,
): Promise<Record<Split, SplitEvaluation>> {
  const { rank, sharedRows } = setup;
  const isLast = (layer: number) => layer === model.layers.length - 1;
  const alive = () => fit.reporter.tick(step);
  return evaluate(
    {
      model,
      data,
      classWeights,
      rank,
      signal: fit.signal,
      firstLayer: pass.firstLayer,
      onProgress: alive,
      onClass: alive,
      scoresOf: withRanking ? (split, length) => sharedRows(`scores-${split}`, length) : undefined,
      outputOf: (layer, dim) => (isLast(layer) ? null : sharedRows(`hidden-${layer}`, data.graph.numNodes * dim)),
    },
    splits,
  );
}

export function namedMetrics(split: EvaluatedSplit, metrics: object): NamedMetrics {
  return Object.fromEntries(Object.entries(metrics).map(([name, value]) => [`${split}/${name}`, value]));
}
