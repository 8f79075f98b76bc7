import { registerNativeGradient, registerNativeKernel, runNativeKernel } from "../backends/native/native-kernel.ts";
import {
  gather,
  getBackend,
  matMul,
  mul,
  sum,
  type Tensor,
  type Tensor2D,
  tensor1d,
  tidy,
  unsortedSegmentSum,
  zeros,
} from "../backends/tf.ts";
import type { Block } from "../graph/block.ts";
import { dstOfEdges, nativeBlock, reversibleBlock } from "./block-attrs.ts";

interface BlockAttrs {
  readonly block: Block;
}
// The two products are each other's gradients, so that both are closed under differentiation:
//   out_v = Σ_e w_e·x_u:  d/dw_e = ⟨x_u, dy_v⟩, d/dx_u = Σ_e w_e·dy_v        out_e = ⟨x_u, y_v⟩: the same, by symmetry

/** out_v = Σ_{e: u → v} w_e·x_u with learned w float32 [numEdges, 1], x float32 [numSrc, dim]; no message is stored. */
export function spmmMul(block: Block, x: Tensor2D, weights: Tensor2D): Tensor2D {
  if (getBackend() === "native") {
    return runNativeKernel("SpmmMul", { x, weights }, { block } satisfies BlockAttrs)[0] as Tensor2D;
  }
  return tidy(() => {
    // Segment sums do not take zero edges; 0·x keeps the result on the tape.
    if (block.indices.length === 0) return matMul(zeros([block.numDst, block.numSrc]), x);
    const messages = mul<Tensor2D>(gather(x, tensor1d(block.indices, "int32")), weights);
    return unsortedSegmentSum<Tensor2D>(messages, tensor1d(dstOfEdges(block), "int32"), block.numDst);
  });
}

/** out_e = ⟨x_u, y_v⟩ for e: u → v; x float32 [numSrc, dim], y float32 [numDst, dim]. @returns float32 [numEdges, 1] */
export function sddmmDot(block: Block, x: Tensor2D, y: Tensor2D): Tensor2D {
  if (getBackend() === "native") {
    return runNativeKernel("SddmmDot", { x, y }, { block } satisfies BlockAttrs)[0] as Tensor2D;
  }
  return tidy(() => {
    const src = tensor1d(block.indices, "int32");
    const dst = tensor1d(dstOfEdges(block), "int32");
    return sum<Tensor2D>(mul(gather(x, src), gather(y, dst)), 1, true);
  });
}

registerNativeKernel<"x" | "weights", BlockAttrs>("SpmmMul", ({ inputs, attrs: { block }, backend, addon }) => {
  const dim = inputs.x.shape[1] as number;
  const out = backend.allocate([block.numDst, dim]);
  const x = backend.floats(inputs.x);
  const weights = backend.floats(inputs.weights);
  addon.weightedSpmm(nativeBlock(block), dim, weights, null, x, out.values);
  return out.info;
});

registerNativeKernel<"dy" | "weights", BlockAttrs>("SpmmMulTransposed", ({ inputs, attrs, backend, addon }) => {
  const { block } = attrs;
  const dim = inputs.dy.shape[1] as number;
  const dx = backend.allocate([block.numSrc, dim]);
  const dy = backend.floats(inputs.dy);
  const weights = backend.floats(inputs.weights);
  addon.weightedSpmmGrad(reversibleBlock(block), block.reverse.edges, dim, weights, null, dy, dx.values);
  return dx.info;
});

registerNativeKernel<"x" | "y", BlockAttrs>("SddmmDot", ({ inputs, attrs: { block }, backend, addon }) => {
  const dim = inputs.x.shape[1] as number;
  const out = backend.allocate([block.indices.length, 1]);
  addon.sddmmDot(nativeBlock(block), dim, backend.floats(inputs.x), backend.floats(inputs.y), out.values);
  return out.info;
});

const run = (kernel: string, inputs: Record<string, Tensor | undefined>, attrs: object) =>
  runNativeKernel(kernel, inputs as Record<string, Tensor>, attrs)[0] as Tensor;

registerNativeGradient("SpmmMul", { inputsToSave: ["x", "weights"], outputsToSave: [] }, (dy, [x, weights], attrs) => ({
  x: run("SpmmMulTransposed", { dy, weights }, attrs),
  weights: run("SddmmDot", { x, y: dy }, attrs),
}));

registerNativeGradient("SddmmDot", { inputsToSave: ["x", "y"], outputsToSave: [] }, (dy, [x, y], attrs) => ({
  x: run("SpmmMulTransposed", { dy: y, weights: dy }, attrs),
  y: run("SpmmMul", { x, weights: dy }, attrs),
}));
