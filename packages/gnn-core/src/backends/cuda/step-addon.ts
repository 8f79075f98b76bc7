import type { FloatsHandle, IntsHandle } from "./memory-addon.ts";

/**
 * What a training step does behind its gradient (native/binding/device/step_binding.cc), on one array of all
 * parameters and one of their gradients. `scale` [3] says what the gradient is multiplied by, how long it is, and
 * whether it is finite: where it is not, updates leave everything as it is.
 */
export interface StepAddon {
  /** hits[0] = rows whose largest logit, the first of equal ones, is at their label */
  countHits(rows: number, classes: number, logits: FloatsHandle, labels: IntsHandle, hits: FloatsHandle): void;
  /** hits[0] = 2 · true positives, trials[0] = predicted + actual; predicted are outputs from their cut on */
  countLabels(
    rows: number,
    classes: number,
    outputs: FloatsHandle,
    targets: FloatsHandle,
    cuts: FloatsHandle,
    hits: FloatsHandle,
    trials: FloatsHandle,
  ): void;
  /**
   * Finds the factor that divides by the second of the step's sums [4], the weight of its seeds, then shortens to
   * `maxNorm` what is longer; 0: never. Adds the sums to the totals [12], which are six float64, and notes the first
   * step that is not finite.
   */
  scaleGradient(
    gradient: FloatsHandle,
    maxNorm: number,
    sums: FloatsHandle,
    step: number,
    scale: FloatsHandle,
    totals: FloatsHandle,
  ): void;
  /**
   * What products of matrices multiply with from now on, on this thread: 0 float32, 1 TF32, 2 bfloat16. Throws
   * DEVICE_NOT_AVAILABLE where cuBLASLt is not there, for all but float32.
   */
  setPrecision(precision: number): void;
  /** What multiplies, such as "cuBLASLt 13.1.1", or why it is our own kernels */
  productsName(): string;
  updateAdam(
    parameter: FloatsHandle,
    gradient: FloatsHandle,
    scale: FloatsHandle,
    momentum: FloatsHandle,
    variance: FloatsHandle,
    lr: number,
    beta1: number,
    beta2: number,
    epsilon: number,
    weightDecay: number,
    step: number,
  ): void;
  updateAdamw(
    parameter: FloatsHandle,
    gradient: FloatsHandle,
    scale: FloatsHandle,
    momentum: FloatsHandle,
    variance: FloatsHandle,
    lr: number,
    beta1: number,
    beta2: number,
    epsilon: number,
    weightDecay: number,
    step: number,
  ): void;
  updateSgd(
    parameter: FloatsHandle,
    gradient: FloatsHandle,
    scale: FloatsHandle,
    momentumBuffer: FloatsHandle,
    lr: number,
    momentum: number,
    weightDecay: number,
  ): void;
  updateAdagrad(
    parameter: FloatsHandle,
    gradient: FloatsHandle,
    scale: FloatsHandle,
    squares: FloatsHandle,
    lr: number,
    epsilon: number,
    weightDecay: number,
  ): void;
}
