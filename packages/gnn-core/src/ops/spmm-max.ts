import { registerNativeGradient, registerNativeKernel, runNativeKernel } from "../backends/native/native-kernel.ts";
import {
  concat,
  fill,
  gather,
  getBackend,
  matMul,
  max,
  mul,
  type Rank,
  reshape,
  type Tensor,
  type Tensor2D,
  tensor1d,
  tensor2d,
  tidy,
  zeros,
} from "../backends/tf.ts";
import type { Block } from "../graph/block.ts";
import { checkBlockRows, nativeBlock, reversibleBlock } from "./block-attrs.ts";

interface BlockAttrs {
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
    if (getBackend() !== "native") return composeSpmmMax(block, x);
    return runNativeKernel("SpmmMax", { x }, { block } satisfies BlockAttrs)[0] as Tensor2D;
  });
}

// Lower than any sum of features; −Infinity times the mask's 0 would be NaN.
const nothing = -1e30;

/** The same from stock ops: each row's distinct in-neighbours side by side, filled up with a row that never wins. */
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

registerNativeKernel<"x", BlockAttrs>("SpmmMax", ({ inputs: { x }, attrs: { block }, backend, addon }) => {
  const dim = x.shape[1] as number;
  const out = backend.allocate([block.numDst, dim]);
  const share = backend.allocateSaved(block.numDst * dim);
  addon.spmmMax(nativeBlock(block), dim, backend.floats(x), out.values, share.values);
  return [out.info, share.info];
});

registerNativeKernel<"x" | "out" | "share" | "dy", BlockAttrs>("SpmmMaxGrad", ({ inputs, attrs, backend, addon }) => {
  const { block } = attrs;
  const dim = inputs.x.shape[1] as number;
  const dx = backend.allocate([block.numSrc, dim]);
  const x = backend.floats(inputs.x);
  const out = backend.floats(inputs.out);
  addon.spmmMaxGrad(
    reversibleBlock(block),
    dim,
    x,
    out,
    backend.floats(inputs.share),
    backend.floats(inputs.dy),
    dx.values,
  );
  return dx.info;
});

registerNativeGradient(
  "SpmmMax",
  { inputsToSave: ["x"], outputsToSave: [true, true] },
  (dy, [x, out, share], attrs) => {
    const inputs = { x, out, share, dy } as Record<string, Tensor>;
    return { x: runNativeKernel("SpmmMaxGrad", inputs, attrs)[0] as Tensor };
  },
);
