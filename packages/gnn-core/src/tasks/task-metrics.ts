import type { TaskMetric } from "../components/define-task.ts";

/** Figures that several tasks have. */
export const lossMetric: TaskMetric = { name: "loss", title: "Loss", direction: "min", shownAs: "figure" };

export const f1Metrics = {
  micro: { name: "microF1", title: "Micro F1", direction: "max", shownAs: "figure" },
  macro: { name: "macroF1", title: "Macro F1", direction: "max", shownAs: "figure" },
} as const satisfies Record<string, TaskMetric>;

/** What a task with a `ranking` has beside its own figures (`ScoreTable`) */
export const rankingMetrics: readonly TaskMetric[] = [
  { name: "averagePrecision", title: "Average precision", direction: "max", shownAs: "figure", isRanking: true },
  { name: "rocAuc", title: "ROC AUC", direction: "max", shownAs: "figure", isRanking: true },
];

/** How one class of several is judged, of nodes as of whole graphs */
export const classMetrics: readonly TaskMetric[] = [
  { name: "accuracy", title: "Accuracy", direction: "max", shownAs: "percent", isRecounted: true },
  f1Metrics.micro,
  f1Metrics.macro,
  lossMetric,
  ...rankingMetrics,
];

/** How numbers are judged, of nodes as of whole graphs */
export const numberMetrics: readonly TaskMetric[] = [
  { name: "r2", title: "R²", direction: "max", shownAs: "figure", isRecounted: true },
  { name: "mae", title: "Mean absolute error", direction: "min", shownAs: "figure", isRecounted: true },
  { name: "rmse", title: "Root mean square error", direction: "min", shownAs: "figure", isRecounted: true },
  lossMetric,
];
