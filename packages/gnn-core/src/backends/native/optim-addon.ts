/** PyTorch's Adam on one parameter, in place; `step` counts from 1. */
type AdamKernel = (
  parameter: Float32Array,
  momentum: Float32Array,
  variance: Float32Array,
  gradient: Float32Array,
  lr: number,
  beta1: number,
  beta2: number,
  epsilon: number,
  weightDecay: number,
  step: number,
) => void;

/**
 * Optimizer kernels (native/binding/optim_binding.cc): one update of one parameter, everything float32 of its length.
 */
export interface OptimAddon {
  readonly adam: AdamKernel;
  /** Moves the weights as Adam does, with decoupled weight decay. */
  readonly adamw: AdamKernel;
  /** b = momentum·b + g, p −= lr·b */
  sgd(
    parameter: Float32Array,
    momentumBuffer: Float32Array,
    gradient: Float32Array,
    lr: number,
    momentum: number,
    weightDecay: number,
  ): void;
  /** s += g², p −= lr·g / (√s + epsilon) */
  adagrad(
    parameter: Float32Array,
    squares: Float32Array,
    gradient: Float32Array,
    lr: number,
    epsilon: number,
    weightDecay: number,
  ): void;
  /** The adagrad update of the rows `ids` of a [rows, dim] parameter; all others keep their bits. */
  sparseAdagrad(
    ids: Int32Array,
    dim: number,
    gradient: Float32Array,
    parameter: Float32Array,
    squares: Float32Array,
    lr: number,
    epsilon: number,
  ): void;
  /** The adam update likewise; `steps` [rows] counts the updates of each row, and is counted up. */
  sparseAdam(
    ids: Int32Array,
    dim: number,
    gradient: Float32Array,
    parameter: Float32Array,
    momentum: Float32Array,
    variance: Float32Array,
    steps: Int32Array,
    lr: number,
    beta1: number,
    beta2: number,
    epsilon: number,
  ): void;
}
