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
 * Cross-entropy of one row: log Σ_c e^{z_c} − z_label, with the row's maximum taken out of the exponents.
 *
 * @param best column of the row's maximum
 */
export function crossEntropyOf(
  logits: Float32Array,
  row: number,
  numClasses: number,
  label: number,
  best: number,
): number {
  const start = row * numClasses;
  const max = logits[start + best] as number;
  let sum = 0;
  for (let column = 0; column < numClasses; column++) sum += Math.exp((logits[start + column] as number) - max);
  return Math.log(sum) + max - (logits[start + label] as number);
}
