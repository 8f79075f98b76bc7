import type { BlockAttrs } from "../../../ops/edge-products.ts";
import { numEdgesOf } from "../../block-edges.ts";
import { runKernel } from "../../run-kernel.ts";
import type { Tensor } from "../../tf.ts";
import { registerNativeGradient, registerSharedKernel } from "../native-kernel.ts";

registerSharedKernel<"x" | "weights", BlockAttrs>("SpmmMul", ({ inputs, attrs: { block }, backend, addon }) => {
  const dim = inputs.x.shape[1] as number;
  const out = backend.allocate([block.numDst, dim]);
  const x = backend.floats(inputs.x);
  const weights = backend.floats(inputs.weights);
  addon.weightedSpmm(backend.block(block), dim, weights, null, x, out.values);
  return out.info;
});

registerSharedKernel<"dy" | "weights", BlockAttrs>("SpmmMulTransposed", ({ inputs, attrs, backend, addon }) => {
  const { block } = attrs;
  const dim = inputs.dy.shape[1] as number;
  const dx = backend.allocate([block.numSrc, dim]);
  const dy = backend.floats(inputs.dy);
  const weights = backend.floats(inputs.weights);
  addon.weightedSpmmGrad(
    backend.reversibleBlock(block),
    backend.reverseEdges(block),
    dim,
    weights,
    null,
    dy,
    dx.values,
  );
  return dx.info;
});

registerSharedKernel<"x" | "y", BlockAttrs>("SddmmDot", ({ inputs, attrs: { block }, backend, addon }) => {
  const dim = inputs.x.shape[1] as number;
  const out = backend.allocate([numEdgesOf(block), 1]);
  addon.sddmmDot(backend.block(block), dim, backend.floats(inputs.x), backend.floats(inputs.y), out.values);
  return out.info;
});

const run = (kernel: string, inputs: Record<string, Tensor | undefined>, attrs: object) =>
  runKernel(kernel, inputs as Record<string, Tensor>, attrs)[0] as Tensor;

registerNativeGradient("SpmmMul", { inputsToSave: ["x", "weights"], outputsToSave: [] }, (dy, [x, weights], attrs) => ({
  x: run("SpmmMulTransposed", { dy, weights }, attrs),
  weights: run("SddmmDot", { x, y: dy }, attrs),
}));

registerNativeGradient("SddmmDot", { inputsToSave: ["x", "y"], outputsToSave: [] }, (dy, [x, y], attrs) => ({
  x: run("SpmmMulTransposed", { dy: y, weights: dy }, attrs),
  y: run("SpmmMul", { x, weights: dy }, attrs),
}));
