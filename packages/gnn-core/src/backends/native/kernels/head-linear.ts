import type { HeadLinearAttrs } from "../../../ops/head-linear.ts";
import { runKernel } from "../../run-kernel.ts";
import type { Tensor, TensorInfo } from "../../tf.ts";
import { registerNativeGradient, registerSharedKernel } from "../native-kernel.ts";

type Attrs = HeadLinearAttrs;

const rowsOf = (x: TensorInfo, groups: number) => (x.shape[0] as number) / groups;
const dimOf = (x: TensorInfo, { heads }: Attrs) => (x.shape[1] as number) / heads;

registerSharedKernel<"x" | "weights", Attrs>("HeadLinear", ({ inputs: { x, weights }, attrs, backend, addon }) => {
  const { heads, from, to } = attrs;
  const [rows, outDim] = [rowsOf(x, from), (weights.shape[1] as number) / to];
  const out = backend.allocate([rows * to, heads * outDim]);
  const given = [backend.floats(x), backend.floats(weights)] as const;
  addon.multiplyHeads(rows, heads, from, dimOf(x, attrs), to, outDim, false, ...given, out.values);
  return out.info;
});

// Back through the weights: from the rows of the result to those of x.
registerSharedKernel<"dy" | "weights", Attrs>(
  "HeadLinearTransposed",
  ({ inputs: { dy, weights }, attrs, backend, addon }) => {
    const { heads, from, to } = attrs;
    const [rows, inDim] = [rowsOf(dy, to), (weights.shape[0] as number) / (heads * from)];
    const dx = backend.allocate([rows * from, heads * inDim]);
    const given = [backend.floats(dy), backend.floats(weights)] as const;
    addon.multiplyHeads(rows, heads, to, dimOf(dy, attrs), from, inDim, true, ...given, dx.values);
    return dx.info;
  },
);

registerSharedKernel<"x" | "dy", Attrs>("HeadLinearGrad", ({ inputs: { x, dy }, attrs, backend, addon }) => {
  const { heads, from, to } = attrs;
  const [inDim, outDim] = [dimOf(x, attrs), dimOf(dy, attrs)];
  const dWeights = backend.allocate([heads * from * inDim, to * outDim]);
  const given = [backend.floats(x), backend.floats(dy)] as const;
  addon.headWeightGradients(rowsOf(x, from), heads, from, inDim, to, outDim, ...given, dWeights.values);
  return dWeights.info;
});

const run = (kernel: string, inputs: Record<string, Tensor | undefined>, attrs: object) =>
  runKernel(kernel, inputs as Record<string, Tensor>, attrs)[0] as Tensor;

registerNativeGradient(
  "HeadLinear",
  { inputsToSave: ["x", "weights"], outputsToSave: [] },
  (dy, [x, weights], attrs) => ({
    x: run("HeadLinearTransposed", { dy, weights }, attrs),
    weights: run("HeadLinearGrad", { x, dy }, attrs),
  }),
);
