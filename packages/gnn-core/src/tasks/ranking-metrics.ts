/** A class's scores, ascending: of its members and of all other nodes. */
export interface RankedScores {
  readonly positives: Float32Array;
  readonly negatives: Float32Array;
}

/**
 * Sorts scores by whether their node is a member.
 *
 * @param score score of the i-th of `count` nodes
 */
export function rankScores(
  count: number,
  score: (i: number) => number,
  isPositive: (i: number) => boolean,
): RankedScores {
  const positives = new Float32Array(count);
  const negatives = new Float32Array(count);
  let numPositives = 0;
  for (let i = 0; i < count; i++) {
    if (isPositive(i)) positives[numPositives++] = score(i);
    else negatives[i - numPositives] = score(i);
  }
  return {
    positives: positives.subarray(0, numPositives).toSorted(),
    negatives: negatives.subarray(0, count - numPositives).toSorted(),
  };
}

/**
 * Area under the ROC curve: the probability that a member scores above a non-member, ties counting half
 * (Mann and Whitney's U / (P·N)).
 *
 * @returns null without a member or without a non-member
 */
export function rocAuc({ positives, negatives }: RankedScores): number | null {
  if (positives.length === 0 || negatives.length === 0) return null;
  let below = 0;
  let notAbove = 0;
  let wins = 0;
  for (const score of positives) {
    while (below < negatives.length && (negatives[below] as number) < score) below++;
    while (notAbove < negatives.length && (negatives[notAbove] as number) <= score) notAbove++;
    wins += (below + notAbove) / 2;
  }
  return wins / (positives.length * negatives.length);
}

/**
 * Average precision: Σ (Rₙ − Rₙ₋₁)·Pₙ over the distinct scores as thresholds, highest first, without interpolation
 * (as scikit-learn's average_precision_score).
 *
 * @returns null without a member
 */
export function averagePrecision({ positives, negatives }: RankedScores): number | null {
  if (positives.length === 0) return null;
  let p = positives.length;
  let n = negatives.length;
  let sum = 0;
  while (p > 0) {
    const threshold = positives[p - 1] as number;
    const before = p;
    while (p > 0 && positives[p - 1] === threshold) p--;
    while (n > 0 && (negatives[n - 1] as number) >= threshold) n--;
    const truePositives = positives.length - p;
    sum += ((before - p) * truePositives) / (truePositives + negatives.length - n);
  }
  return sum / positives.length;
}
