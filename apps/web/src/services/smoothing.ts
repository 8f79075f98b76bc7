/**
 * Exponentially weighted mean of a curve, without the pull of its start towards zero:
 * mᵢ = w mᵢ₋₁ + (1 − w) vᵢ, divided by 1 − wⁱ.
 *
 * @param weight 0 (none) … below 1: how much the past counts
 * @returns as long as `values`; null where a value is no number, which is passed over
 */
export function smoothed(values: readonly (number | null)[], weight: number): (number | null)[] {
  let mean = 0;
  let left = 1;
  return values.map((value) => {
    if (value === null) return null;
    mean = weight * mean + (1 - weight) * value;
    left *= weight;
    return mean / (1 - left);
  });
}
