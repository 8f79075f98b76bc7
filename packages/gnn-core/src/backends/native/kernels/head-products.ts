import type { HeadAttrs } from "../../../ops/head-products.ts";
import { numEdgesOf } from "../../block-edges.ts";
import { runKernel } from "../../run-kernel.ts";
import type { Tensor, TensorInfo } from "../../tf.ts";
import { registerNativeGradient, registerSharedKernel } from "../native-kernel.ts";

const dimOf = (rows: TensorInfo, { heads }: HeadAttrs) => (rows.shape[1] as number) / heads;

registerSharedKernel<"x" | "weights", HeadAttrs>("HeadSum", ({ inputs, attrs, backend, addon }) => {
  const { block, heads } = attrs;
  const dim = dimOf(inputs.x, attrs);
  const out = backend.allocate([block.numDst, heads * dim]);
  const [weights, x] = [backend.floats(inputs.weights), backend.floats(inputs.x)];
  addon.headSum(backend.block(block), heads, dim, weights, x, out.values);
  return out.info;
});

registerSharedKernel<"dy" | "weights", HeadAttrs>("HeadSumTransposed", ({ inputs, attrs, backend, addon }) => {
  const { block, heads } = attrs;
  const dim = dimOf(inputs.dy, attrs);
  const dx = backend.allocate([block.numSrc, heads * dim]);
  const [weights, dy] = [backend.floats(inputs.weights), backend.floats(inputs.dy)];
  const reversible = backend.reversibleBlock(block);
  addon.headSumGrad(reversible, backend.reverseEdges(block), heads, dim, weights, dy, dx.values);
  return dx.info;
});

registerSharedKernel<"x" | "y", HeadAttrs>("HeadDot", ({ inputs, attrs, backend, addon }) => {
  const { block, heads } = attrs;
  const out = backend.allocate([numEdgesOf(block), heads]);
  const [x, y] = [backend.floats(inputs.x), backend.floats(inputs.y)];
  addon.headDot(backend.block(block), heads, dimOf(inputs.x, attrs), x, y, out.values);
  return out.info;
});

const run = (kernel: string, inputs: Record<string, Tensor | undefined>, attrs: object) =>
  runKernel(kernel, inputs as Record<string, Tensor>, attrs)[0] as Tensor;

registerNativeGradient("HeadSum", { inputsToSave: ["x", "weights"], outputsToSave: [] }, (dy, [x, weights], attrs) => ({
  x: run("HeadSumTransposed", { dy, weights }, attrs),
  weights: run("HeadDot", { x, y: dy }, attrs),
}));

registerNativeGradient("HeadDot", { inputsToSave: ["x", "y"], outputsToSave: [] }, (dy, [x, y], attrs) => ({
  x: run("HeadSumTransposed", { dy: y, weights: dy }, attrs),
  y: run("HeadSum", { x, weights: dy }, attrs),
}));
