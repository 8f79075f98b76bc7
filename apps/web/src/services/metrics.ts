/** A figure of a metrics object, if it is there. */
export function metricOf(metrics: unknown, name: string): number | null {
  if (typeof metrics !== "object" || metrics === null) return null;
  const value = (metrics as Record<string, unknown>)[name];
  return typeof value === "number" ? value : null;
}

export interface SplitMetrics {
  readonly split: string;
  readonly metrics: readonly { readonly name: string; readonly value: number }[];
}

const splits = ["test", "val", "train"];
const kinds = ["accuracy", "microF1", "macroF1", "r2", "mae", "rmse", "loss"];

/** All figures of a metrics object by split, the test's first; in each, the figures of the task before the loss and the others. */
export function metricsOf(metrics: unknown): SplitMetrics[] {
  if (typeof metrics !== "object" || metrics === null) return [];
  const bySplit = new Map<string, { name: string; value: number }[]>();
  for (const [name, value] of Object.entries(metrics)) {
    if (typeof value !== "number") continue;
    const split = name.split("/")[0] ?? "";
    bySplit.set(split, [...(bySplit.get(split) ?? []), { name, value }]);
  }
  return [...bySplit]
    .map(([split, found]) => ({ split, metrics: found.toSorted(by(kinds, ({ name }) => name.split("/")[1] ?? "")) }))
    .toSorted(by(splits, ({ split }) => split));
}

/** Known texts in their order, then the others by name (−1 becomes the largest number). */
function by<T>(order: readonly string[], textOf: (one: T) => string): (a: T, b: T) => number {
  const rank = (one: T) => order.indexOf(textOf(one)) >>> 0;
  return (a, b) => rank(a) - rank(b) || textOf(a).localeCompare(textOf(b));
}
