/** Normalisations and propagations again, straight from their formulas, in double precision and with plain loops. */
import type { Block } from "../../src/graph/block.ts";
import type { Doubles } from "./reference-ops.ts";

const rowsOf = (x: Doubles, dim: number): number[][] =>
  Array.from({ length: x.length / dim }, (_, row) => [...x.subarray(row * dim, (row + 1) * dim)]);
const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const varianceOf = (values: readonly number[]) => meanOf(values.map((value) => (value - meanOf(values)) ** 2));

export function layerNorm(dim: number, x: Doubles, scale: Doubles, shift: Doubles): Doubles {
  return Float64Array.from(
    rowsOf(x, dim).flatMap((row) => {
      const deviation = Math.sqrt(varianceOf(row) + 1e-5);
      return row.map((value, d) => ((value - meanOf(row)) / deviation) * scale[d]! + shift[d]!);
    }),
  );
}

export function l2Normalize(dim: number, x: Doubles): Doubles {
  return Float64Array.from(
    rowsOf(x, dim).flatMap((row) => row.map((value) => value / Math.max(Math.hypot(...row), 1e-12))),
  );
}

export function batchNorm(
  dim: number,
  { x, mean, variance, scale, shift }: Record<"x" | "mean" | "variance" | "scale" | "shift", Doubles>,
): Doubles {
  return x.map((value, i) => {
    const d = i % dim;
    return ((value - mean[d]!) / Math.sqrt(variance[d]! + 1e-5)) * scale[d]! + shift[d]!;
  });
}

/** Mean and biased variance of each column over the first rows. */
export function columnStatistics(dim: number, numRows: number, x: Doubles): { mean: Doubles; variance: Doubles } {
  const columns = Array.from({ length: dim }, (_, d) =>
    Array.from({ length: numRows }, (__, row) => x[row * dim + d]!),
  );
  return { mean: Float64Array.from(columns.map(meanOf)), variance: Float64Array.from(columns.map(varianceOf)) };
}

/** Σ w_e·x_u + s_v·x_v with a weight per edge and per row. */
export function sumOf(
  block: Block,
  dim: number,
  x: Doubles,
  edgeWeight: (edge: number) => number,
  selfWeight: (row: number) => number,
): Doubles {
  const out = new Float64Array(block.numDst * dim);
  for (let v = 0; v < block.numDst; v++) {
    for (let d = 0; d < dim; d++) {
      let sum = selfWeight(v) * x[v * dim + d]!;
      for (let e = block.indptr[v]!; e < block.indptr[v + 1]!; e++)
        sum += edgeWeight(e) * x[block.indices[e]! * dim + d]!;
      out[v * dim + d] = sum;
    }
  }
  return out;
}

export interface AppnpWeights {
  readonly edge: (edge: number) => number;
  readonly self: (row: number) => number;
}

/** zᵏ⁺¹ = (1 − α)·Â·zᵏ + α·h over the blocks. */
export function appnp(
  blocks: readonly Block[],
  dim: number,
  alpha: number,
  h: Doubles,
  weights: readonly AppnpWeights[],
): Doubles {
  return blocks.reduce<Doubles>(
    (z, block, hop) =>
      sumOf(block, dim, z, weights[hop]!.edge, weights[hop]!.self).map(
        (value, i) => (1 - alpha) * value + alpha * h[i]!,
      ),
    h,
  );
}
