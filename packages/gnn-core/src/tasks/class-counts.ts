/**
 * What F1 is counted from, per class: true positives, predicted and actual members.
 * Counts of parts add up, so ranks may sum them.
 */
export interface ClassCounts {
  readonly truePositives: Float64Array;
  readonly predicted: Float64Array;
  readonly actual: Float64Array;
}

export function noClassCounts(numClasses: number): ClassCounts {
  return {
    truePositives: new Float64Array(numClasses),
    predicted: new Float64Array(numClasses),
    actual: new Float64Array(numClasses),
  };
}

/** Counts one node of one class. */
export function countNode({ truePositives, predicted, actual }: ClassCounts, label: number, guess: number): void {
  increment(predicted, guess);
  increment(actual, label);
  if (label === guess) increment(truePositives, label);
}

/**
 * F1 of a class = 2·TP / (predicted + actual).
 *   macroF1: mean over the classes that occur as label or prediction (as scikit-learn's f1_score does by default)
 *   microF1: of the sums over all classes; with one label per node it equals the accuracy
 *
 * @returns null when nothing was counted
 */
export function f1Of(counts: ClassCounts): { readonly macroF1: number | null; readonly microF1: number | null } {
  const { truePositives, predicted, actual } = counts;
  const members = Array.from(predicted, (count, i) => count + (actual[i] as number));
  const scores = members.flatMap((count, i) => (count > 0 ? [(2 * (truePositives[i] as number)) / count] : []));
  if (scores.length === 0) return { macroF1: null, microF1: null };
  return {
    macroF1: sum(scores) / scores.length,
    microF1: (2 * sum(truePositives)) / sum(members),
  };
}

function increment(counts: Float64Array, index: number): void {
  counts[index] = (counts[index] as number) + 1;
}

function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
