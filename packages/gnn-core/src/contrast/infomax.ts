import {
  add,
  matMul,
  mean,
  mul,
  neg,
  type Rank,
  reshape,
  type Scalar,
  sum,
  type Tensor2D,
  tfjs,
} from "../backends/tf.ts";
import { glorotUniform } from "../nn/variables.ts";
import { softplus } from "../ops/softplus.ts";
import type { ContrastHead } from "./contrast-objective.ts";

/**
 * Deep Graph Infomax: rows of the graph are told from those of a corrupted one by a summary of the graph.
 *   s = σ(1/n·Σ_v h_v),  D(h) = hᵀ·W·s
 *   loss = Σ_v ½·[−log σ(D(h_v)) − log(1 − σ(D(h̃_v)))]
 * n counts the nodes of the global batch: with all nodes in one step, s is the summary of the paper.
 * Veličković et al. 2019, arXiv:1809.10341, equations 1 to 4.
 */
export function infomaxHead({ dim, seed }: { readonly dim: number; readonly seed: number }): ContrastHead {
  const weight = glorotUniform("head.weight", dim, dim, seed);
  return {
    variables: [weight],
    lossSum: (first, second) => {
      const summary = reshape<Rank.R2>(tfjs.sigmoid(mean(first, 0)), [dim, 1]);
      const direction: Tensor2D = matMul(weight.variable, summary);
      const [real, corrupted]: Tensor2D[] = [matMul(first, direction), matMul(second, direction)];
      return mul<Scalar>(add(sum(softplus(neg(real as Tensor2D))), sum(softplus(corrupted as Tensor2D))), 0.5);
    },
  };
}
