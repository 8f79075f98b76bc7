import { type Judged, titleOf } from "./metrics.ts";
import type { SeriesData } from "./series.ts";

export type Direction = "max" | "min";

/** One figure of a series with the epoch or step at which it was measured. */
export interface Measured {
  readonly value: number;
  readonly at: number;
}

/** What a curve came to: what readers look for before they look at the curve itself. */
export interface MetricSummary {
  readonly name: string;
  readonly axis: string;
  readonly best: Measured;
  readonly last: Measured;
  readonly min: Measured;
  readonly max: Measured;
}

/** @returns null when nothing was measured; a point that is no number counts as none */
export function summaryOf(series: SeriesData, direction: Direction): MetricSummary | null {
  const points = series.values.flatMap((value, i): Measured[] => {
    const at = series.steps[i];
    return value === null || at === undefined ? [] : [{ value, at }];
  });
  const [first] = points;
  const last = points.at(-1);
  if (!first || !last) return null;
  // The first of equal ones: the same epoch that the weights are kept of.
  const min = points.reduce((least, one) => (one.value < least.value ? one : least), first);
  const max = points.reduce((most, one) => (one.value > most.value ? one : most), first);
  return { name: series.name, axis: series.axis, best: direction === "max" ? max : min, last, min, max };
}

/** Whether the most or the least of a metric is best; of one that no task declares, losses and errors are least. */
export function directionOf(name: string, task: Judged): Direction {
  const metric = name.split("/").at(-1) ?? name;
  const declared = task?.metrics.find((one) => one.name === metric)?.direction;
  if (declared === "max" || declared === "min") return declared;
  return /loss|error|rmse|mae|perplexity/i.test(metric) ? "min" : "max";
}

export interface Headline {
  readonly metric: string;
  readonly title: string;
  readonly summary: MetricSummary;
}

/** The metric that stands for the job: of the validation nodes, which choose the weights, else of training. */
export function headlineOf(series: readonly SeriesData[], task: Judged): Headline | null {
  if (!task) return null;
  const metric = task.chiefMetric;
  return firstOf(
    series,
    [`val/${metric}`, `train/${metric}`],
    titleOf(metric, task),
    metric,
    directionOf(metric, task),
  );
}

/** The loss of the validation nodes tells of generalization; without one, that which is learnt by. */
export function lossOf(series: readonly SeriesData[], task: Judged): Headline | null {
  return firstOf(series, ["val/loss", "train/loss"], titleOf("loss", task), "loss", "min");
}

function firstOf(
  series: readonly SeriesData[],
  names: readonly string[],
  title: string,
  metric: string,
  direction: Direction,
): Headline | null {
  for (const name of names) {
    const found = series.find((one) => one.name === name);
    const summary = found ? summaryOf(found, direction) : null;
    if (summary) return { metric, title, summary };
  }
  return null;
}
