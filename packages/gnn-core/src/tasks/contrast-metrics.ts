import type { TaskMetric } from "../components/define-task.ts";

/** Counted at the end alone. */
export const probeAccuracy: TaskMetric = {
  name: "probeAccuracy",
  title: "Accuracy of a linear probe",
  direction: "max",
  shownAs: "percent",
  isRanking: true,
  needsLabels: true,
};
const loss: TaskMetric = { name: "loss", title: "Loss", direction: "min", shownAs: "figure" };

/** How tasks that compare views are judged: by their loss; and by a linear probe, where there are labels. */
export const contrastMetrics = {
  metrics: [probeAccuracy, loss],
  chiefMetric: "probeAccuracy",
  selectionMetric: "loss",
} as const;
