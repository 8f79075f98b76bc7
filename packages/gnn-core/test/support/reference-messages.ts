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

interface AttentionInputs {
  readonly z: Doubles;
  /** What is summed, if not the rows that are scored */
  readonly values?: Doubles;
  readonly attentionSrc: Doubles;
  readonly attentionDst: Doubles;
}

/**
 * Attention as full matrices: for each head a [numDst, numSrc] matrix of exp(score)·number of edges, with one self-loop
 * per row, normalised by row, times the projected rows. `kept(dst, src, head)` is the factor of dropout.
 */
export function attention(
  block: Block,
  heads: number,
  dim: number,
  { z, values = z, attentionSrc, attentionDst }: AttentionInputs,
  merge: "concat" | "mean",
  kept: (dst: number, src: number, head: number) => number = () => 1,
): Doubles {
  const { numSrc, numDst } = block;
  const width = merge === "concat" ? heads * dim : dim;
  const out = new Float64Array(numDst * width);
  const count = new Float64Array(numDst * numSrc);
  eachEdge(block, (_, src, dst) => {
    if (src !== dst) count[dst * numSrc + src]! += 1;
  });
  for (let v = 0; v < numDst; v++) count[v * numSrc + v] = 1;
  const inner = (row: number, head: number, by: Doubles) =>
    Array.from({ length: dim }, (_, d) => z[(row * heads + head) * dim + d]! * by[head * dim + d]!).reduce(
      (a, b) => a + b,
      0,
    );
  for (let h = 0; h < heads; h++) {
    for (let v = 0; v < numDst; v++) {
      const powers = Array.from({ length: numSrc }, (_, u) => {
        const score = inner(u, h, attentionSrc) + inner(v, h, attentionDst);
        return count[v * numSrc + u]! * Math.exp(score > 0 ? score : 0.2 * score);
      });
      const total = powers.reduce((a, b) => a + b, 0);
      for (let d = 0; d < dim; d++) {
        const at = v * width + (merge === "concat" ? h * dim + d : d);
        const value = powers.reduce(
          (sum, power, u) =>
            sum + (power === 0 ? 0 : (power / total) * kept(v, u, h) * values[(u * heads + h) * dim + d]!),
          0,
        );
        out[at]! += merge === "concat" ? value : value / heads;
      }
    }
  }
  return out;
}
