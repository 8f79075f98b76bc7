/**
 * Losses (native/binding/loss_binding.cc) of nodes with several labels and of numbers. Matrices are row-major float32
 * [rows, classes].
 */
export interface LossAddon {
  /** Sum over rows of weights[i]·Σ_c (softplus(z) − target·z) */
  sigmoidCrossEntropySum(
    rows: number,
    classes: number,
    logits: Float32Array,
    targets: Float32Array,
    weights: Float32Array | null,
  ): number;
  /** scale·weights[i]·(σ(z) − target), into dLogits */
  sigmoidCrossEntropyGrad(
    rows: number,
    classes: number,
    logits: Float32Array,
    targets: Float32Array,
    weights: Float32Array | null,
    scale: number,
    dLogits: Float32Array,
  ): void;
  /** Sum over entries of l(output − target); kind 0 squared, 1 absolute, 2 Huber. A target of NaN counts nothing. */
  regressionLossSum(kind: number, delta: number, count: number, outputs: Float32Array, targets: Float32Array): number;
  /** scale·l'(output − target), into dOutputs */
  regressionLossGrad(
    kind: number,
    delta: number,
    count: number,
    outputs: Float32Array,
    targets: Float32Array,
    scale: number,
    dOutputs: Float32Array,
  ): void;
}
