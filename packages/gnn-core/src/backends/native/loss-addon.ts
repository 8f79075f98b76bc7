import type { ArrayTypes, HostArrays } from "../memory.ts";

/**
 * Losses (native/binding/loss_binding.cc) of nodes with several labels and of numbers. Matrices are row-major float32
 * [rows, classes].
 */
export interface LossAddon<M extends ArrayTypes = HostArrays> {
  /** Sum over rows of weights[i]·Σ_c (softplus(z) − target·z), into sum [1] */
  sigmoidCrossEntropySum(
    rows: number,
    classes: number,
    logits: M["floats"],
    targets: M["floats"],
    weights: M["floats"] | null,
    sum: M["floats"],
  ): void;
  /** scale·weights[i]·(σ(z) − target), into dLogits */
  sigmoidCrossEntropyGrad(
    rows: number,
    classes: number,
    logits: M["floats"],
    targets: M["floats"],
    weights: M["floats"] | null,
    scale: number,
    dLogits: M["floats"],
  ): void;
  /** sum [1] = Σ l(output − target) over entries; kind 0 squared, 1 absolute, 2 Huber; NaN as target counts nothing. */
  regressionLossSum(
    kind: number,
    delta: number,
    count: number,
    outputs: M["floats"],
    targets: M["floats"],
    sum: M["floats"],
  ): void;
  /** scale·l'(output − target), into dOutputs */
  regressionLossGrad(
    kind: number,
    delta: number,
    count: number,
    outputs: M["floats"],
    targets: M["floats"],
    scale: number,
    dOutputs: M["floats"],
  ): void;
}
