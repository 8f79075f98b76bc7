import { add, matMul, type Tensor2D, tidy } from "../../backends/tf.ts";
import { glorotUniform, zeros } from "../../nn/variables.ts";
import { edgeSoftmax } from "../../ops/edge-softmax.ts";
import { gspmm } from "../../ops/message-passing.ts";
import type { MakeReadout } from "./readout.ts";

/**
 * h_g = Σ_v α_v·h_v, α = softmax over the graph's nodes of ⟨a, h_v⟩ + b. Li et al. 2016 (arXiv:1511.05493), equation 7,
 * with a linear gate and the rows as they are; PyG AttentionalAggregation.
 */
export const attentionReadout: MakeReadout = ({ dim, seed }) => {
  const weight = glorotUniform("readout.weight", dim, 1, seed);
  const bias = zeros("readout.bias", 1);
  return {
    variables: [weight, bias],
    read: (pool, rows) =>
      tidy(() => {
        // Edge i of a pool is that of node i: scores of nodes are scores of edges.
        const scores = add<Tensor2D>(matMul(rows, weight.variable), bias.variable);
        return gspmm(pool, "mul", "sum", { src: rows, edge: edgeSoftmax(pool, scores) });
      }),
  };
};
