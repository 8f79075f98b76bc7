/**
 * Mean absolute error, mean_i |prediction_i − target_i|, over targets that are numbers.
 *
 * @param targets NaN = unlabelled: left out
 * @returns null when there is nothing to average
 */
export function meanAbsoluteError(predictions: Float32Array, targets: Float32Array): number | null {
  return meanOfErrors(predictions, targets, Math.abs);
}

/** Mean squared error, mean_i (prediction_i − target_i)²; otherwise as `meanAbsoluteError`. */
export function meanSquaredError(predictions: Float32Array, targets: Float32Array): number | null {
  return meanOfErrors(predictions, targets, (error) => error * error);
}

function meanOfErrors(
  predictions: Float32Array,
  targets: Float32Array,
  cost: (error: number) => number,
): number | null {
  let sum = 0;
  let count = 0;
  for (let i = 0; i < targets.length; i++) {
    const target = targets[i] as number;
    if (Number.isNaN(target)) continue;
    sum += cost((predictions[i] as number) - target);
    count += 1;
  }
  return count > 0 ? sum / count : null;
}
