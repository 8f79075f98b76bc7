import { formatFigure } from "../../services/format.ts";

const mostProbabilities = 5;

/**
 * What is shown of a prediction: its columns in their order, of `p_<class>` only the largest.
 *
 * @param values columns of an export of predictions, as the API gives them
 */
export function shownValues(values: unknown): { label: string; value: string }[] {
  if (typeof values !== "object" || values === null) return [];
  const all = Object.entries(values as Record<string, string | number | null>);
  const probabilities = all.filter(([name, value]) => name.startsWith("p_") && typeof value === "number");
  const largest = probabilities.toSorted(([, a], [, b]) => Number(b) - Number(a)).slice(0, mostProbabilities);
  const others = all.filter(([name]) => !name.startsWith("p_"));
  return [...others, ...largest].map(([label, value]) => ({ label, value: textOf(value) }));
}

function textOf(value: string | number | null): string {
  if (value === null) return "–";
  return typeof value === "number" ? formatFigure(value) : value;
}
