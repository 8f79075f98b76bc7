import type { TaskType } from "./task-options.ts";

export const evaluationMetrics = [
  "val/accuracy",
  "val/loss",
  "val/macroF1",
  "val/microF1",
  "val/rocAuc",
  "val/averagePrecision",
  "val/mae",
  "val/rmse",
  "val/r2",
] as const;
export type EvaluationMetric = (typeof evaluationMetrics)[number];

const ranking = ["val/rocAuc", "val/averagePrecision"] as const;
const minimised: ReadonlySet<EvaluationMetric> = new Set(["val/loss", "val/mae", "val/rmse"]);

/** The metrics of each task; the first decides about the best weights unless the spec names another. */
const ofTask = {
  nodeClassification: ["val/accuracy", "val/loss", "val/macroF1", "val/microF1", ...ranking],
  // F1 at a threshold stays 0 until a label is likely at all, so the loss chooses.
  nodeMultiLabel: ["val/loss", "val/macroF1", "val/microF1", ...ranking],
  nodeRegression: ["val/loss", "val/mae", "val/rmse", "val/r2"],
} as const satisfies Record<TaskType, readonly EvaluationMetric[]>;

export function metricsOfTask(type: TaskType): readonly EvaluationMetric[] {
  return ofTask[type];
}

export function defaultMetric(type: TaskType): EvaluationMetric {
  return ofTask[type][0];
}

/** Losses and errors are minimised, everything else maximised. */
export function modeOf(metric: EvaluationMetric): "max" | "min" {
  return minimised.has(metric) ? "min" : "max";
}

/** They need the scores of all nodes in order, so they are computed only where they decide, and at the end. */
export function isRanking(metric: EvaluationMetric): boolean {
  return ranking.some((one) => one === metric);
}
