import { formatFigure, formatPercent } from "./format.ts";

/** How the task of a job is judged, as the API's catalogue says; null: the job learns nothing that is known here. */
export type Judged = {
  readonly chiefMetric: string;
  /** In the order in which results show them */
  readonly metrics: readonly {
    readonly name: string;
    readonly title: string;
    readonly shownAs: string;
    readonly direction?: string;
  }[];
} | null;

/** A figure of a metrics object, if it is there. */
export function metricOf(metrics: unknown, name: string): number | null {
  if (typeof metrics !== "object" || metrics === null) return null;
  const value = (metrics as Record<string, unknown>)[name];
  return typeof value === "number" ? value : null;
}

export interface SplitMetrics {
  readonly split: string;
  readonly metrics: readonly { readonly name: string; readonly text: string }[];
}

const splits = ["test", "val", "train"];

/** All figures of a metrics object by split, the test's first; in each in the order of the task. */
export function metricsOf(metrics: unknown, task: Judged): SplitMetrics[] {
  if (typeof metrics !== "object" || metrics === null) return [];
  const bySplit = new Map<string, { name: string; text: string }[]>();
  for (const [name, value] of Object.entries(metrics)) {
    if (typeof value !== "number") continue;
    const [split = "", metric = ""] = name.split("/");
    bySplit.set(split, [...(bySplit.get(split) ?? []), { name, text: formatMetric(value, metric, task) }]);
  }
  const order = task?.metrics.map(({ name }) => name) ?? [];
  return [...bySplit]
    .map(([split, found]) => ({ split, metrics: found.toSorted(by(order, ({ name }) => name.split("/")[1] ?? "")) }))
    .toSorted(by(splits, ({ split }) => split));
}

/** A figure as its task shows it. @param metric its name without the split */
export function formatMetric(value: number | null, metric: string, task: Judged): string {
  const shownAs = task?.metrics.find(({ name }) => name === metric)?.shownAs;
  return shownAs === "percent" ? formatPercent(value) : formatFigure(value);
}

/** The title of a metric; what no task declares keeps its name. */
export function titleOf(metric: string, task: Judged): string {
  return task?.metrics.find(({ name }) => name === metric)?.title ?? metric;
}

const splitWords: Readonly<Record<string, string>> = { train: "training", val: "validation", test: "test" };

/** The nodes that a figure is of, in a word; null: its name does not say. */
export function splitWord(name: string): string | null {
  const [split = "", metric] = name.split("/");
  return metric === undefined ? null : (splitWords[split] ?? split);
}

/** "val/averagePrecision" → "Average precision, validation" */
export function figureName(name: string, task: Judged): string {
  const metric = name.split("/").at(-1) ?? name;
  const title = titleOf(metric, task);
  const split = splitWord(name);
  return split === null ? title : `${title}, ${split}`;
}

/** Metrics as curves are drawn: the loss that is learnt by, what stands for the result, then the others of the task. */
export function curveOrder(task: Judged): readonly string[] {
  return task ? ["loss", task.chiefMetric, ...task.metrics.map(({ name }) => name)] : ["loss"];
}

/** What stands for the result of a job in a list; null: it has none. */
interface ChiefResult {
  readonly title: string;
  readonly text: string;
}

export function chiefResult(metrics: unknown, task: Judged): ChiefResult | null {
  if (!task) return null;
  const value = metricOf(metrics, `test/${task.chiefMetric}`);
  if (value === null) return null;
  return { title: titleOf(task.chiefMetric, task), text: formatMetric(value, task.chiefMetric, task) };
}

/** The head of a column with results of several kinds, or with none */
export const mixedResults = "Test result";

/** The head of a column of results: what they have in common. */
export function resultHeading(results: readonly (ChiefResult | null)[]): string {
  const [title, ...others] = new Set(results.flatMap((result) => result?.title ?? []));
  if (title === undefined || others.length > 0) return mixedResults;
  const isWord = /^\p{Lu}\p{Ll}/u.test(title);
  return `Test ${isWord ? title.charAt(0).toLowerCase() + title.slice(1) : title}`;
}

/** Known texts in their order, then the others by name (−1 becomes the largest number). */
export function by<T>(order: readonly string[], textOf: (one: T) => string): (a: T, b: T) => number {
  const rank = (one: T) => order.indexOf(textOf(one)) >>> 0;
  return (a, b) => rank(a) - rank(b) || textOf(a).localeCompare(textOf(b));
}
