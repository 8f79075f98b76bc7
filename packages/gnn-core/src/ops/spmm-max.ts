import { hasKernel, runKernel } from "../backends/run-kernel.ts";
import {
  concat,
  fill,
  gather,
  matMul,
  max,
  mul,
  type Rank,
  reshape,
  type Tensor2D,
  tensor1d,
  tensor2d,
  tidy,
  zeros,
} from "../backends/tf.ts";
import type { Block } from "../graph/block.ts";
import { checkBlockRows } from "./block-attrs.ts";

export interface BlockAttrs {
  readonly block: Block;
}

/**
 * Elementwise maximum over in-neighbours: out_v = max{ x_u : u ∈ N(v) }, 0 without in-neighbours. Edges that reach the
 * maximum together share its gradient evenly.
 *
 * @param x  float32 [block.numSrc, dim]
 * @returns  float32 [block.numDst, dim], owned by the caller
 * @throws GnnError SHAPE_MISMATCH when x.shape[0] !== block.numSrc
 */
export function spmmMax(block: Block, x: Tensor2D): Tensor2D {
  checkBlockRows("spmmMax", block, x.shape[0]);
  return tidy(() => {
    if (!hasKernel("SpmmMax")) return composeSpmmMax(block, x);
    return runKernel("SpmmMax", { x }, { block } satisfies BlockAttrs)[0] as Tensor2D;
  });
}

// Lower than any sum of features; −Infinity times the mask's 0 would be NaN.
const nothing = -1e30;

/**
 * Composes the op from stock ones: each row's distinct in-neighbours side by side, filled up with a row that never
 * wins.
 */
export function composeSpmmMax(block: Block, x: Tensor2D): Tensor2D {
  const { numDst, numSrc, indptr, indices } = block;
  const dim = x.shape[1];
  if (indices.length === 0) return matMul(zeros([numDst, numSrc]), x);
  const lists = Array.from({ length: numDst }, (_, v) => [...new Set(indices.subarray(indptr[v], indptr[v + 1]))]);
  const width = Math.max(...lists.map((list) => list.length));
  const rows = lists.flatMap((list) => Array.from({ length: width }, (_, i) => list[i] ?? numSrc));
  const padded = concat([x, fill([1, dim], nothing)], 0);
  const highest = max<Tensor2D>(reshape<Rank.R3>(gather(padded, tensor1d(rows, "int32")), [numDst, width, dim]), 1);
  const isReached = lists.map((list) => (list.length > 0 ? 1 : 0));
  return mul(highest, tensor2d(isReached, [numDst, 1]));
}
