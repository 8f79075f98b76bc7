/** Message passing again, straight from the formulas, in double precision and with plain loops. */
import type { Block } from "../../src/graph/block.ts";
import type { Doubles } from "./reference-ops.ts";

/** Calls `visit` for every edge of the block: its position, src row and dst row. */
export function eachEdge(block: Block, visit: (edge: number, src: number, dst: number) => void): void {
  for (let dst = 0; dst < block.numDst; dst++) {
    for (let edge = block.indptr[dst]!; edge < block.indptr[dst + 1]!; edge++) visit(edge, block.indices[edge]!, dst);
  }
}

/** Σ w_e·x_u + s_v·x_v */
export function weightedSum(
  block: Block,
  dim: number,
  x: Doubles,
  edgeWeights: ArrayLike<number> | null,
  selfWeights: ArrayLike<number> | null,
): Doubles {
  const out = new Float64Array(block.numDst * dim);
  eachEdge(block, (edge, src, dst) => {
    for (let d = 0; d < dim; d++) out[dst * dim + d]! += (edgeWeights?.[edge] ?? 1) * x[src * dim + d]!;
  });
  if (selfWeights) for (let i = 0; i < out.length; i++) out[i]! += selfWeights[Math.floor(i / dim)]! * x[i]!;
  return out;
}

export const activationFormulas = {
  none: (x: number) => x,
  relu: (x: number) => Math.max(0, x),
  elu: (x: number) => (x > 0 ? x : Math.exp(x) - 1),
  leakyRelu: (x: number) => (x > 0 ? x : 0.2 * x),
  tanh: Math.tanh,
} as const;
