import type { TaskComponent } from "../components/define-task.ts";

/** The validation metric by which the best weights are chosen. */
export interface SelectionMetric {
  /** `val/<name>` */
  readonly metric: string;
  readonly mode: "max" | "min";
  /** It needs the scores of all nodes in order. */
  readonly isRanking: boolean;
}

interface AskedMetric {
  readonly metric?: string | undefined;
  readonly mode?: "max" | "min" | undefined;
}

/** What early stopping can go by, the task's own choice first. */
export function validationMetrics({ metrics, selectionMetric }: TaskMetrics): readonly SelectionMetric[] {
  const named = metrics.map(({ name, direction, isRanking = false }) => ({
    metric: `val/${name}`,
    mode: direction,
    isRanking,
  }));
  const own = `val/${selectionMetric}`;
  return named.toSorted((a, b) => Number(b.metric === own) - Number(a.metric === own));
}

/** The metric that a spec names, or the task's own. */
export function selectionMetricOf(task: TaskMetrics, asked: AskedMetric | null): SelectionMetric {
  const known = validationMetrics(task);
  const found = known.find(({ metric }) => metric === asked?.metric) ?? known[0];
  if (!found) throw new RangeError(`The task ${task.name} has no metrics.`);
  return found;
}

/**
 * Why early stopping cannot go by what it names, as a sentence; null when it can.
 *
 * @param options of the task, by which some metrics are counted or not
 */
export function metricObjection(
  task: TaskMetrics,
  asked: AskedMetric | null,
  options: Readonly<Record<string, unknown>>,
): { readonly option: "metric" | "mode"; readonly message: string } | null {
  if (asked?.metric === undefined) return null;
  const known = validationMetrics(task);
  const found = known.find(({ metric }) => metric === asked.metric);
  if (!found) {
    const names = known.map(({ metric }) => metric).join(", ");
    return { option: "metric", message: `${task.name} has no metric ${asked.metric}; it has ${names}.` };
  }
  const own = task.metrics.find(({ name }) => `val/${name}` === asked.metric);
  const unmet = Object.entries(own?.needs ?? {}).find(([option, value]) => options[option] !== value);
  if (unmet) {
    const [option, value] = unmet;
    return {
      option: "metric",
      message: `${asked.metric} is counted where task.${option} is "${value}"; set it, or name another metric.`,
    };
  }
  if (asked.mode === undefined || asked.mode === found.mode) return null;
  const message =
    'Losses and errors are minimised and all other metrics maximised: set mode to "min" for them, else "max"';
  return { option: "mode", message };
}

/** What is needed of a task to choose weights by its metrics */
export type TaskMetrics = Pick<TaskComponent, "name" | "metrics" | "selectionMetric">;
