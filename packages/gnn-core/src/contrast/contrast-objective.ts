import type { Scalar, Tensor2D } from "../backends/tf.ts";
import type { Activation } from "../nn/activations.ts";
import type { NamedVariable } from "../nn/variables.ts";
import type { View } from "./view.ts";

/** What is learnt of a graph without labels: two views of it, and how their rows are compared. */
export interface ContrastObjective {
  /** Width of the rows */
  readonly dim: number;
  /** Behind the model's output; the result is the embedding, and what is compared */
  readonly activation: Activation;
  /** The first is the one whose rows are kept where they are not changed. */
  readonly views: readonly [View, View];
  /** Makes what compares them. */
  readonly head: (shape: { readonly dim: number; readonly seed: number }) => ContrastHead;
}

/** Compares the rows of some nodes in two views. */
export interface ContrastHead {
  /** Trained with the model; names begin with `head.` */
  readonly variables: readonly NamedVariable[];
  /**
   * The loss summed over the nodes of a global batch, all of which are compared with each other; on the tape, to be
   * called inside `tidy`.
   *
   * @param first  float32 [n, dim], rows of the first view
   * @param second float32 [n, dim], of the same nodes in the second
   */
  lossSum(first: Tensor2D, second: Tensor2D): Scalar;
}
