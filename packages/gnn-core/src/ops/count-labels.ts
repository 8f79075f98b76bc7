import { hasKernel, runKernel } from "../backends/run-kernel.ts";
import type { Scalar, Tensor2D } from "../backends/tf.ts";

export interface CountLabelsAttrs {
  readonly targets: Float32Array;
  /** float32 [classes], what an output is compared with: at least the cut of the label */
  readonly cuts: Float32Array;
}

/**
 * Micro F1 of several labels as a fraction, hits / trials = 2·TP / (predicted + actual), as tensors: on a device
 * nothing is read back.
 *
 * @param outputs  float32 [n, classes]
 * @param targets  float32 [n · classes], 1 where node i has label c
 * @param cuts     float64 [classes], the output from which on each label is predicted
 * @returns        float32 scalars, owned by the caller; null where the backend has no kernel for it
 */
export function countLabels(
  outputs: Tensor2D,
  targets: Float32Array,
  cuts: Float64Array,
): { readonly hits: Scalar; readonly trials: Scalar } | null {
  if (!hasKernel("CountLabels")) return null;
  const attrs: CountLabelsAttrs = { targets, cuts: Float32Array.from(cuts, roundedUp) };
  const [hits, trials] = runKernel("CountLabels", { outputs }, attrs) as [Scalar, Scalar];
  return { hits, trials };
}

/** The least float32 that is not below the number: floats are compared with both alike. */
function roundedUp(value: number): number {
  const rounded = Math.fround(value);
  if (rounded >= value || !Number.isFinite(value)) return rounded;
  const bits = new Int32Array(Float32Array.of(rounded).buffer);
  // The next float32 above: one more away from 0, or one less towards it.
  const above = rounded === 0 ? 1 : (bits[0] as number) + (rounded > 0 ? 1 : -1);
  return new Float32Array(Int32Array.of(above).buffer)[0] as number;
}
