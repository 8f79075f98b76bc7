import { metricsOfTask } from "./evaluation-metrics.ts";
import type { TaskOptions } from "./task-options.ts";

/** Why early stopping cannot go by its metric, as a sentence; null when it can. */
export function metricObjection(
  task: Pick<TaskOptions, "type">,
  earlyStopping: { readonly metric?: string | undefined } | null,
): string | null {
  const metric = earlyStopping?.metric;
  const known: readonly string[] = metricsOfTask(task.type);
  if (metric === undefined || known.includes(metric)) return null;
  return `${task.type} has no metric ${metric}; it has ${known.join(", ")}.`;
}
