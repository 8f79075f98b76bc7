import type {
  SageAttrs,
  SageCsrAttrs,
  SageDroppedAttrs,
  SageStoredAttrs,
  SageWeights,
} from "../../../ops/sage-conv.ts";
import { runKernel } from "../../run-kernel.ts";
import type { Tensor, TensorInfo } from "../../tf.ts";
import { type NativeCall, registerNativeGradient, registerNativeKernel } from "../native-kernel.ts";
import type { NativeRows } from "../sparse-addon.ts";
import { nativeBlock, reversibleBlock } from "./block-args.ts";

type SageCall<Input extends string, Attrs extends SageAttrs> = NativeCall<Input | "weightSelf" | "weightNeigh", Attrs>;

function forward(
  { inputs, attrs, backend, addon }: SageCall<"bias", SageAttrs>,
  x: Float32Array | NativeRows,
): TensorInfo[] {
  const { block, activation, aggregatesFirst: isAggregated } = attrs;
  const [inDim, outDim] = inputs.weightSelf.shape as [number, number];
  const out = backend.allocate([block.numDst, outDim]);
  // The second output is for the gradient only; it has no rows when the rows are projected first.
  const aggregated = backend.allocateSaved(isAggregated ? block.numDst * inDim : 0);
  addon.sageConv(
    nativeBlock(block),
    inDim,
    outDim,
    x,
    backend.floats(inputs.weightSelf),
    backend.floats(inputs.weightNeigh),
    backend.floats(inputs.bias),
    activation === "relu",
    isAggregated ? aggregated.values : null,
    out.values,
  );
  return [out.info, aggregated.info];
}

type SageSaved = "dy" | "out" | "aggregated";

function gradients(
  { inputs, attrs, backend, addon }: SageCall<SageSaved, SageAttrs>,
  x: Float32Array | NativeRows,
): TensorInfo[] {
  const { block, activation, needsInputGradient, aggregatesFirst: isAggregated } = attrs;
  const [inDim, outDim] = inputs.weightSelf.shape as [number, number];
  const dSelf = backend.allocate([inDim, outDim]);
  const dNeigh = backend.allocate([inDim, outDim]);
  const dBias = backend.allocate([outDim]);
  const dx = needsInputGradient ? backend.allocate([block.numSrc, inDim]) : null;
  const walksReverse = needsInputGradient || !isAggregated;
  addon.sageConvGrad(
    walksReverse,
    walksReverse ? reversibleBlock(block) : nativeBlock(block),
    inDim,
    outDim,
    x,
    backend.floats(inputs.weightSelf),
    backend.floats(inputs.weightNeigh),
    backend.floats(inputs.out),
    isAggregated ? backend.floats(inputs.aggregated) : null,
    backend.floats(inputs.dy),
    activation === "relu",
    dx?.values ?? null,
    dSelf.values,
    dNeigh.values,
    dBias.values,
  );
  return [dSelf.info, dNeigh.info, dBias.info, ...(dx ? [dx.info] : [])];
}

registerNativeKernel<"x" | keyof SageWeights, SageDroppedAttrs>("SageConvDropped", (call) => {
  const { x } = call.inputs;
  const { rowIds, key, threshold } = call.attrs.drop;
  const [rows, dim] = x.shape as [number, number];
  const dropped = call.backend.allocateSaved(rows * dim);
  call.addon.dropoutRows(rows, dim, call.backend.floats(x), rowIds, key, threshold, dropped.values);
  return [...forward(call, dropped.values), dropped.info];
});

registerNativeKernel<"x" | keyof SageWeights, SageDroppedAttrs>("SageConvDroppedInPlace", (call) => {
  const { rowIds, key, threshold } = call.attrs.drop;
  const [rows, dim] = call.inputs.x.shape as [number, number];
  const values = call.backend.writableFloats(call.inputs.x);
  call.addon.dropoutRows(rows, dim, values, rowIds, key, threshold, values);
  return forward(call, values);
});

registerNativeKernel<"x" | keyof SageWeights, SageAttrs>("SageConv", (call) =>
  forward(call, call.backend.floats(call.inputs.x)),
);

registerNativeKernel<keyof SageWeights, SageStoredAttrs>("SageConvStored", (call) =>
  forward(call, call.attrs.rows.source ?? call.attrs.rows.values),
);

type SageGradInput = SageSaved | "x" | "weightSelf" | "weightNeigh";

registerNativeKernel<SageGradInput, SageAttrs>("SageConvGrad", (call) =>
  gradients(call, call.backend.floats(call.inputs.x)),
);

// The gradient of the dropped rows becomes that of x in its own memory: two of them would be the largest arrays of a
// step.
registerNativeKernel<SageGradInput, SageDroppedAttrs>("SageConvDroppedGrad", (call) => {
  const { rowIds, key, threshold } = call.attrs.drop;
  const results = gradients(call, call.backend.floats(call.inputs.x));
  const dx = results[3] as TensorInfo;
  const [rows, dim] = dx.shape as [number, number];
  const values = call.backend.floats(dx);
  call.addon.dropoutRows(rows, dim, values, rowIds, key, threshold, values);
  return results;
});

registerNativeKernel<Exclude<SageGradInput, "x">, SageStoredAttrs>("SageConvStoredGrad", (call) =>
  gradients(call, call.attrs.rows.source ?? call.attrs.rows.values),
);

/** A gradient kernel's outputs by the input that each belongs to. */
function sageGradients(kernel: string, inputs: Record<string, Tensor | undefined>, attrs: object) {
  const [dSelf, dNeigh, dBias, dx] = runKernel(kernel, inputs as Record<string, Tensor>, attrs) as [
    Tensor,
    Tensor,
    Tensor,
    Tensor?,
  ];
  return { weightSelf: dSelf, weightNeigh: dNeigh, bias: dBias, ...(dx && { x: dx }) };
}

registerNativeGradient(
  "SageConvStored",
  { inputsToSave: ["weightSelf", "weightNeigh"], outputsToSave: [true, true] },
  (dy, [weightSelf, weightNeigh, out, aggregated], attrs) => {
    return sageGradients("SageConvStoredGrad", { dy, weightSelf, weightNeigh, out, aggregated }, attrs);
  },
);

registerNativeGradient(
  "SageConv",
  { inputsToSave: ["x", "weightSelf", "weightNeigh"], outputsToSave: [true, true] },
  (dy, [x, weightSelf, weightNeigh, out, aggregated], attrs) => {
    return sageGradients("SageConvGrad", { dy, x, weightSelf, weightNeigh, out, aggregated }, attrs);
  },
);

registerNativeGradient(
  "SageConvDropped",
  { inputsToSave: ["weightSelf", "weightNeigh"], outputsToSave: [true, true, true] },
  (dy, [weightSelf, weightNeigh, out, aggregated, x], attrs) => {
    return sageGradients("SageConvDroppedGrad", { dy, x, weightSelf, weightNeigh, out, aggregated }, attrs);
  },
);

registerNativeGradient(
  "SageConvDroppedInPlace",
  { inputsToSave: ["x", "weightSelf", "weightNeigh"], outputsToSave: [true, true] },
  (dy, [x, weightSelf, weightNeigh, out, aggregated], attrs) => {
    return sageGradients("SageConvDroppedGrad", { dy, x, weightSelf, weightNeigh, out, aggregated }, attrs);
  },
);

registerNativeKernel<keyof SageWeights, SageCsrAttrs>("SageConvCsr", ({ inputs, attrs, backend, addon }) => {
  const { block, activation, rows } = attrs;
  const [inDim, outDim] = inputs.weightSelf.shape as [number, number];
  const out = backend.allocate([block.numDst, outDim]);
  addon.sageConvCsr(
    nativeBlock(block),
    inDim,
    outDim,
    rows.indptr,
    rows.indices,
    rows.values,
    backend.floats(inputs.weightSelf),
    backend.floats(inputs.weightNeigh),
    backend.floats(inputs.bias),
    activation === "relu",
    out.values,
  );
  return out.info;
});

registerNativeKernel<"dy" | "out", SageCsrAttrs>("SageConvCsrGrad", ({ inputs, attrs, backend, addon }) => {
  const { block, activation, rows } = attrs;
  const outDim = inputs.dy.shape[1] as number;
  const dSelf = backend.allocate([rows.dim, outDim]);
  const dNeigh = backend.allocate([rows.dim, outDim]);
  const dBias = backend.allocate([outDim]);
  addon.sageConvCsrGrad(
    reversibleBlock(block),
    rows.dim,
    outDim,
    rows.indptr,
    rows.indices,
    rows.values,
    backend.floats(inputs.out),
    backend.floats(inputs.dy),
    activation === "relu",
    dSelf.values,
    dNeigh.values,
    dBias.values,
  );
  return [dSelf.info, dNeigh.info, dBias.info];
});

registerNativeGradient("SageConvCsr", { inputsToSave: [], outputsToSave: [true] }, (dy, [out], attrs) => {
  return sageGradients("SageConvCsrGrad", { dy, out }, attrs);
});
