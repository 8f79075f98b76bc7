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
