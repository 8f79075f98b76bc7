/** A figure of a metrics object, if it is there. */
export function metricOf(metrics: unknown, name: string): number | null {
  if (typeof metrics !== "object" || metrics === null) return null;
  const value = (metrics as Record<string, unknown>)[name];
  return typeof value === "number" ? value : null;
}

/** All figures of a metrics object: the test's first, then by name. */
export function metricsOf(metrics: unknown): { name: string; value: number }[] {
  if (typeof metrics !== "object" || metrics === null) return [];
  return Object.entries(metrics)
    .filter((entry): entry is [string, number] => typeof entry[1] === "number")
    .map(([name, value]) => ({ name, value }))
    .toSorted(
      (a, b) => Number(b.name.startsWith("test/")) - Number(a.name.startsWith("test/")) || a.name.localeCompare(b.name),
    );
}
