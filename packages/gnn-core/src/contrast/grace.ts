import { add, concat, matMul, mul, type Scalar, sub, type Tensor2D, tensor2d } from "../backends/tf.ts";
import { dense } from "../nn/dense.ts";
import { noDropout } from "../nn/no-dropout.ts";
import { crossEntropySum } from "../ops/cross-entropy.ts";
import { l2Normalize } from "../ops/l2-normalize.ts";
import type { ContrastHead } from "./contrast-objective.ts";

export interface GraceHeadOptions {
  readonly dim: number;
  readonly seed: number;
  /** Width of the hidden layer of the projection */
  readonly projectionFeats: number;
  readonly temperature: number;
}

const noRows = new Int32Array();
/** Added to a score that is no choice: its share of the softmax is 0 in float32. */
const never = -1e9;

/**
 * GRACE: the row of a node in one view is told from those of all other nodes in both. With z = g(h)/‖g(h)‖, g a network
 * of two layers, and θ(u, v) = z_uᵀ·z_v / τ,
 *   l(u_i) = −log( e^{θ(u_i, v_i)} / (Σ_k e^{θ(u_i, v_k)} + Σ_{k ≠ i} e^{θ(u_i, u_k)}) )
 *   loss = Σ_i ½·[l(u_i) + l(v_i)]
 * over the nodes of the global batch. Memory is that of four matrices of the batch's nodes by twice as many, and of
 * their gradients. Zhu et al. 2020, arXiv:2006.04131, equations 1 and 2.
 */
export function graceHead({ dim, seed, projectionFeats, temperature }: GraceHeadOptions): ContrastHead {
  const common = { seed, dropout: 0, index: 0 };
  const hidden = dense({ ...common, name: "head.0", inDim: dim, outDim: projectionFeats, activation: "elu" });
  const output = dense({ ...common, name: "head.1", inDim: projectionFeats, outDim: dim, activation: "none" });
  const project = (rows: Tensor2D) =>
    l2Normalize(output.apply(hidden.apply(rows, noRows, noDropout), noRows, noDropout));
  return {
    variables: [...hidden.variables, ...output.variables],
    lossSum: (first, second) => {
      const [u, v] = [project(first), project(second)];
      const own = ownPlaces(first.shape[0]);
      return add<Scalar>(oneSide(u, v, own, temperature), oneSide(v, u, own, temperature));
    },
  };
}

/** Σ_i ½·l(u_i): which of all rows of the other view is the node's own, beside all other rows of its own view. */
function oneSide(u: Tensor2D, v: Tensor2D, own: Tensor2D, temperature: number): Scalar {
  const count = u.shape[0];
  const scaled = mul<Tensor2D>(u, 1 / temperature);
  const between: Tensor2D = matMul(scaled, v, false, true);
  const within = sub<Tensor2D>(matMul(scaled, u, false, true), own);
  const places = Int32Array.from({ length: count }, (_, i) => i);
  // Halves as weights: a factor behind the sum would have the gradient read its value back from a device.
  return crossEntropySum(concat<Tensor2D>([between, within], 1), places, new Float32Array(count).fill(0.5));
}

/** What is taken off the scores of each node with itself. */
function ownPlaces(count: number): Tensor2D {
  const values = new Float32Array(count * count);
  for (let i = 0; i < count; i++) values[i * count + i] = -never;
  return tensor2d(values, [count, count]);
}
