import type { ArrayTypes, HostArrays } from "../memory.ts";

/**
 * Attention's sums and products over edges, all heads at once (native/binding/head_binding.cc). Rows hold their heads
 * side by side, [rows, heads·dim]; edges have a number for each, [numEdges, heads]. Outputs are written in place.
 */
export interface HeadAddon<M extends ArrayTypes = HostArrays> {
  /** out_vh = Σ_{e: u → v} weights[e, h]·x_uh */
  headSum(block: M["block"], heads: number, dim: number, weights: M["floats"], x: M["floats"], out: M["floats"]): void;
  /** dx_uh = Σ_{e: u → v} weights[e, h]·dy_vh */
  headSumGrad(
    block: M["reversible"],
    reverseEdges: M["ints"],
    heads: number,
    dim: number,
    weights: M["floats"],
    dy: M["floats"],
    dx: M["floats"],
  ): void;
  /** out[e, h] = ⟨x_uh, y_vh⟩ for e = (u, v) */
  headDot(block: M["block"], heads: number, dim: number, x: M["floats"], y: M["floats"], out: M["floats"]): void;
  /**
   * out_vh = x_vh·W_h for rows v, of which each is `from` rows of x, [rows·from, heads·inDim], and `to` rows of out,
   * [rows·to, heads·outDim], below each other. W is [heads, from·inDim, to·outDim]; transposed [heads, to·outDim,
   * from·inDim].
   */
  multiplyHeads(
    rows: number,
    heads: number,
    from: number,
    inDim: number,
    to: number,
    outDim: number,
    transposed: boolean,
    x: M["floats"],
    weights: M["floats"],
    out: M["floats"],
  ): void;
  /** dW_h = Σ_v x_vhᵀ·dy_vh, laid out as for `multiplyHeads` */
  headWeightGradients(
    rows: number,
    heads: number,
    from: number,
    inDim: number,
    to: number,
    outDim: number,
    x: M["floats"],
    dy: M["floats"],
    dWeights: M["floats"],
  ): void;
}
