/** Losses of nodes with several labels (native/binding/loss_binding.cc). Matrices are row-major float32 [rows, classes]. */
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
}
