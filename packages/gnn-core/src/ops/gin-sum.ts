import { registerNativeGradient, registerNativeKernel, runNativeKernel } from "../backends/native/native-kernel.ts";
import { add, getBackend, mul, slice, type Tensor, type Tensor1D, type Tensor2D, tidy } from "../backends/tf.ts";
import type { Block } from "../graph/block.ts";
import { checkBlockRows, nativeBlock, reversibleBlock } from "./block-attrs.ts";
import { composeWeightedSpmm } from "./weighted-spmm.ts";

interface GinAttrs {
  readonly block: Block;
  readonly edgeWeights: Float32Array | null;
}

/**
 * The sum that GIN's MLP reads: out_v = Σ_{e: u → v} w_e·x_u + (1 + ε)·x_v. No edge message is stored.
 * Xu et al. 2019 (arXiv:1810.00826), equation 4.1.
 *
 * @param x            float32 [block.numSrc, dim]
 * @param epsilon      float32 [1]
 * @param edgeWeights  float32 [numEdges] in the order of `block.indices`; null: 1
 * @returns            float32 [block.numDst, dim], owned by the caller
 * @throws GnnError SHAPE_MISMATCH when x.shape[0] !== block.numSrc, or weights of another length
 */
export function ginSum(block: Block, x: Tensor2D, epsilon: Tensor1D, edgeWeights: Float32Array | null): Tensor2D {
  checkBlockRows("ginSum", block, x.shape[0]);
  if (getBackend() !== "native") return tidy(() => composeGinSum(block, x, epsilon, edgeWeights));
  const attrs: GinAttrs = { block, edgeWeights };
  return runNativeKernel("GinSum", { x, epsilon }, attrs)[0] as Tensor2D;
}

/** The same from stock ops. */
export function composeGinSum(
  block: Block,
  x: Tensor2D,
  epsilon: Tensor1D,
  edgeWeights: Float32Array | null,
): Tensor2D {
  const own = slice(x, [0, 0], [block.numDst, x.shape[1]]);
  const sum = composeWeightedSpmm(block, x, { edgeWeights, selfWeights: null });
  return add(sum, add(own, mul(own, epsilon)));
}

registerNativeKernel<"x" | "epsilon", GinAttrs>("GinSum", ({ inputs, attrs, backend, addon }) => {
  const { block, edgeWeights } = attrs;
  const dim = inputs.x.shape[1] as number;
  const out = backend.allocate([block.numDst, dim]);
  const epsilon = backend.floats(inputs.epsilon);
  const x = backend.floats(inputs.x);
  addon.ginSum(nativeBlock(block), dim, edgeWeights, epsilon, x, out.values);
  return out.info;
});

registerNativeKernel<"dy" | "x" | "epsilon", GinAttrs>("GinSumGrad", ({ inputs, attrs, backend, addon }) => {
  const { block, edgeWeights } = attrs;
  const dim = inputs.x.shape[1] as number;
  const dx = backend.allocate([block.numSrc, dim]);
  const dEpsilon = backend.allocate([1]);
  addon.ginSumGrad(
    reversibleBlock(block),
    block.reverse.edges,
    dim,
    edgeWeights,
    backend.floats(inputs.epsilon),
    backend.floats(inputs.x),
    backend.floats(inputs.dy),
    dx.values,
    dEpsilon.values,
  );
  return [dx.info, dEpsilon.info];
});

registerNativeGradient("GinSum", { inputsToSave: ["x", "epsilon"], outputsToSave: [] }, (dy, [x, epsilon], attrs) => {
  const inputs = { dy, x, epsilon } as Record<string, Tensor>;
  const [dx, dEpsilon] = runNativeKernel("GinSumGrad", inputs, attrs) as [Tensor, Tensor];
  return { x: dx, epsilon: dEpsilon };
});
