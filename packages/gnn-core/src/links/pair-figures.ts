import { averagePrecision, type RankedScores, rocAuc } from "../tasks/ranking-metrics.ts";
import { hitsAt, meanReciprocalRank } from "./rank-figures.ts";

/**
 * How well scores tell links from negatives: area under the ROC curve (ties count half), average precision, and the
 * mean reciprocal rank of each link among all negatives; `hits@k`, the share of links that so rank up to k, for each k
 * asked for.
 *
 * @param positives scores of the links, in any order
 */
export function pairFigures(positives: Float32Array, negatives: Float32Array, ks: readonly number[] = []): PairFigures {
  const ranked: RankedScores = { positives: positives.toSorted(), negatives: negatives.toSorted() };
  const ranks = positives.length > 0 && negatives.length > 0 ? ranksAmong(positives, ranked.negatives) : noRanks;
  const hits = Object.fromEntries(ks.map((k) => [`hits@${k}`, hitsAt(ranks, k)]));
  return { auc: rocAuc(ranked), ap: averagePrecision(ranked), mrr: meanReciprocalRank(ranks), ...hits };
}

/** Figures by name; null where there was nothing to count. */
export interface PairFigures extends Readonly<Record<string, number | null>> {
  readonly auc: number | null;
  readonly ap: number | null;
  readonly mrr: number | null;
}

const noRanks = new Float32Array();

/**
 * The rank of each score among fixed negatives, by the tie rule of `meanRank`: 1 + above + level / 2.
 *
 * @param negatives ascending
 */
export function ranksAmong(scores: Float32Array, negatives: Float32Array): Float32Array {
  return scores.map((score) => {
    const below = countBelow(negatives, (other) => other < score);
    const notAbove = countBelow(negatives, (other) => other <= score);
    return 1 + (negatives.length - notAbove) + (notAbove - below) / 2;
  });
}

/** How many of the first entries pass a test that holds up to some place. */
function countBelow(sorted: Float32Array, holds: (value: number) => boolean): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(sorted[middle] as number)) low = middle + 1;
    else high = middle;
  }
  return low;
}
