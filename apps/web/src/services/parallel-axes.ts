import { type ComparedJob, parameterRows, type RunGroup } from "./comparison.ts";
import { figureName, metricOf } from "./metrics.ts";
import { valueText } from "./spec-difference.ts";

/** One upright axis of parallel coordinates: where each run stands on it, 0 (below) … 1, and what its ends say. */
export interface ParallelAxis {
  readonly title: string;
  /** null: the run has no value there */
  readonly places: readonly (number | null)[];
  readonly texts: readonly string[];
  readonly low: string;
  readonly high: string;
}

/** An axis for each setting that varies, then one for the metric; what is equal everywhere has none. */
export function parallelAxes(groups: readonly RunGroup[], metric: string): readonly ParallelAxis[] {
  const runs = groups.flatMap(({ jobs }) => jobs);
  const single = runs.map((job, color) => ({ id: job.id, name: job.name, jobs: [job], color, dash: 0 }));
  const settings = parameterRows(single)
    .filter(({ differs }) => differs)
    .map(({ path, values }) =>
      axisOf(
        path,
        values.map(([value]) => value),
      ),
    );
  const results = runs.map(({ model }) => metricOf(model?.metrics, metric));
  const task = runs.find((job) => job.task !== null)?.task ?? null;
  return results.some((value) => value !== null) ? [...settings, axisOf(figureName(metric, task), results)] : settings;
}

function axisOf(title: string, values: readonly unknown[]): ParallelAxis {
  const texts = values.map(valueText);
  const known = values.filter((value) => value !== null && value !== undefined);
  if (known.every((value) => typeof value === "number")) return numberAxis(title, values as (number | null)[], texts);
  const kinds = [...new Set(texts)].toSorted();
  const place = (text: string) => (kinds.length < 2 ? 0.5 : kinds.indexOf(text) / (kinds.length - 1));
  return { title, texts, places: texts.map(place), low: kinds[0] ?? "", high: kinds.at(-1) ?? "" };
}

/** Values that differ by magnitudes, such as learning rates, stand by their logarithms. */
function numberAxis(
  title: string,
  values: readonly (number | null | undefined)[],
  texts: readonly string[],
): ParallelAxis {
  const known = values.filter((value) => value !== null && value !== undefined);
  const [least, most] = [Math.min(...known), Math.max(...known)];
  const scale = least > 0 && most / least >= 50 ? Math.log : (value: number) => value;
  const range = scale(most) - scale(least);
  const placeOf = (value: number | null | undefined) => {
    if (value === null || value === undefined) return null;
    return range === 0 ? 0.5 : (scale(value) - scale(least)) / range;
  };
  return { title, texts, places: values.map(placeOf), low: valueText(least), high: valueText(most) };
}

/** The metric that stands for most of the jobs: their task's chief one, of the test nodes. */
export function chiefOf(jobs: readonly ComparedJob[]): string {
  return `test/${jobs.find(({ task }) => task !== null)?.task?.chiefMetric ?? "accuracy"}`;
}
