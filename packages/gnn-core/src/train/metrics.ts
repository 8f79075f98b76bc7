/** Sums over a set of labelled nodes; adding the sums of all ranks gives the sums of the whole. */
export interface ClassificationSums {
  /** Σ weight · cross-entropy */
  readonly lossSum: number;
  /** Σ weight */
  readonly weightSum: number;
  readonly correct: number;
  readonly count: number;
}

export interface ClassificationMetrics {
  /** Weighted mean cross-entropy; null when there is nothing to average. */
  readonly loss: number | null;
  readonly accuracy: number | null;
}

export const noSums: ClassificationSums = { lossSum: 0, weightSum: 0, correct: 0, count: 0 };

export function addSums(a: ClassificationSums, b: ClassificationSums): ClassificationSums {
  return {
    lossSum: a.lossSum + b.lossSum,
    weightSum: a.weightSum + b.weightSum,
    correct: a.correct + b.correct,
    count: a.count + b.count,
  };
}

/** loss = lossSum / weightSum, accuracy = correct / count */
export function metricsOf(sums: ClassificationSums): ClassificationMetrics {
  return {
    loss: sums.weightSum > 0 ? sums.lossSum / sums.weightSum : null,
    accuracy: sums.count > 0 ? sums.correct / sums.count : null,
  };
}

/** Index of the largest value of row `row`; the first one when several are equal. */
export function argMax(values: Float32Array, row: number, numColumns: number): number {
  const start = row * numColumns;
  let best = 0;
  for (let column = 1; column < numColumns; column++) {
    if ((values[start + column] as number) > (values[start + best] as number)) best = column;
  }
  return best;
}

/** How many rows of `logits` [labels.length, numClasses] have their largest value at the label; -1 never counts. */
export function countCorrect(logits: Float32Array, labels: Int32Array, numClasses: number): number {
  let correct = 0;
  for (let row = 0; row < labels.length; row++) {
    if (argMax(logits, row, numClasses) === labels[row]) correct += 1;
  }
  return correct;
}

/**
 * Sums of one chunk of evaluated nodes.
 *   lossSum = Σ_i w[y_i] · (log Σ_c e^{z_ic} − z_i,y_i), with the row's maximum taken out of the exponents
 *
 * @param logits      float32 [labels.length, classWeights.length]
 * @param labels      class of each row, -1 = unlabelled: the row is left out
 * @param isIncluded  rows to look at
 * @param onRow       called with label and predicted class of each row that counts
 */
export function evaluateLogits(
  logits: Float32Array,
  labels: Int32Array,
  classWeights: Float32Array,
  isIncluded: (row: number) => boolean,
  onRow: (label: number, predicted: number) => void = () => {},
): ClassificationSums {
  const numClasses = classWeights.length;
  let [lossSum, weightSum, correct, count] = [0, 0, 0, 0];
  for (let row = 0; row < labels.length; row++) {
    const label = labels[row] as number;
    if (label < 0 || !isIncluded(row)) continue;
    const weight = classWeights[label] as number;
    const best = argMax(logits, row, numClasses);
    lossSum += weight * crossEntropy(logits, row, numClasses, label, best);
    weightSum += weight;
    onRow(label, best);
    correct += best === label ? 1 : 0;
    count += 1;
  }
  return { lossSum, weightSum, correct, count };
}

function crossEntropy(logits: Float32Array, row: number, numClasses: number, label: number, best: number): number {
  const start = row * numClasses;
  const max = logits[start + best] as number;
  let sum = 0;
  for (let column = 0; column < numClasses; column++) sum += Math.exp((logits[start + column] as number) - max);
  return Math.log(sum) + max - (logits[start + label] as number);
}
