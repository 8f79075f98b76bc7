import type {
  SageAttrs,
  SageCsrAttrs,
  SageDroppedAttrs,
  SageStoredAttrs,
  SageWeights,
} from "../../../ops/sage-conv.ts";
import type { ArrayTypes } from "../../memory.ts";
import { runKernel } from "../../run-kernel.ts";
import type { Tensor, TensorInfo } from "../../tf.ts";
import { type KernelCall, registerNativeGradient, registerSharedKernel } from "../native-kernel.ts";
import { csrOf } from "./csr-args.ts";

type SageCall<Input extends string, Attrs extends SageAttrs, M extends ArrayTypes> = KernelCall<
  Input | "weightSelf" | "weightNeigh",
  Attrs,
  M
>;

function forward<M extends ArrayTypes>(
  { inputs, attrs, backend, addon }: SageCall<"bias", SageAttrs, M>,
  x: M["rows"],
): TensorInfo[] {
  const { block, activation, aggregatesFirst: isAggregated } = attrs;
  const [inDim, outDim] = inputs.weightSelf.shape as [number, number];
  const out = backend.allocate([block.numDst, outDim]);
  // The second output is for the gradient only; it has no rows when the rows are projected first.
  const aggregated = backend.allocateSaved(isAggregated ? block.numDst * backend.aggregatedColumns(inDim) : 0);
  addon.sageConv(
    backend.block(block),
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

function gradients<M extends ArrayTypes>(
  { inputs, attrs, backend, addon }: SageCall<SageSaved, SageAttrs, M>,
  x: M["rows"],
  dropped = 0,
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
    walksReverse ? backend.reversibleBlock(block) : backend.block(block),
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
    dropped,
  );
  return [dSelf.info, dNeigh.info, dBias.info, ...(dx ? [dx.info] : [])];
}

registerSharedKernel<"x" | keyof SageWeights, SageDroppedAttrs>("SageConvDropped", (call) => {
  const { x } = call.inputs;
  const { key, threshold } = call.attrs.drop;
  const rowIds = call.backend.constantInts(call.attrs.drop.rowIds);
  const [rows, dim] = x.shape as [number, number];
  const dropped = call.backend.allocateSaved(rows * dim);
  call.addon.dropoutRows(rows, dim, call.backend.floats(x), rowIds, key, threshold, dropped.values);
  return [...forward(call, dropped.values), dropped.info];
});

registerSharedKernel<"x" | keyof SageWeights, SageDroppedAttrs>("SageConvDroppedInPlace", (call) => {
  const { key, threshold } = call.attrs.drop;
  const rowIds = call.backend.constantInts(call.attrs.drop.rowIds);
  const [rows, dim] = call.inputs.x.shape as [number, number];
  const values = call.backend.writableFloats(call.inputs.x);
  call.addon.dropoutRows(rows, dim, values, rowIds, key, threshold, values);
  return forward(call, values);
});

registerSharedKernel<"x" | keyof SageWeights, SageAttrs>("SageConv", (call) =>
  forward(call, call.backend.floats(call.inputs.x)),
);

registerSharedKernel<keyof SageWeights, SageStoredAttrs>("SageConvStored", (call) =>
  forward(call, call.backend.storedRows(call.attrs.rows)),
);

type SageGradInput = SageSaved | "x" | "weightSelf" | "weightNeigh";

registerSharedKernel<SageGradInput, SageAttrs>("SageConvGrad", (call) =>
  gradients(call, call.backend.floats(call.inputs.x)),
);

// The gradient of the dropped rows becomes that of x in its own memory: two of them would be the largest arrays of a
// step. Where elements were dropped in place, they are 0, and the layer before, which looks at signs, gives them none.
registerSharedKernel<SageGradInput, SageDroppedAttrs>("SageConvDroppedGrad", (call) => {
  const { key, threshold } = call.attrs.drop;
  if (call.attrs.inPlace) return gradients(call, call.backend.floats(call.inputs.x), threshold);
  const rowIds = call.backend.constantInts(call.attrs.drop.rowIds);
  const results = gradients(call, call.backend.floats(call.inputs.x));
  const dx = results[3] as TensorInfo;
  const [rows, dim] = dx.shape as [number, number];
  const values = call.backend.floats(dx);
  call.addon.dropoutRows(rows, dim, values, rowIds, key, threshold, values);
  return results;
});

registerSharedKernel<Exclude<SageGradInput, "x">, SageStoredAttrs>("SageConvStoredGrad", (call) =>
  gradients(call, call.backend.storedRows(call.attrs.rows)),
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

registerSharedKernel<keyof SageWeights, SageCsrAttrs>("SageConvCsr", ({ inputs, attrs, backend, addon }) => {
  const { block, activation, rows } = attrs;
  const { indptr, indices, values } = csrOf(backend, rows);
  const [inDim, outDim] = inputs.weightSelf.shape as [number, number];
  const out = backend.allocate([block.numDst, outDim]);
  addon.sageConvCsr(
    backend.block(block),
    inDim,
    outDim,
    indptr,
    indices,
    values,
    backend.floats(inputs.weightSelf),
    backend.floats(inputs.weightNeigh),
    backend.floats(inputs.bias),
    activation === "relu",
    out.values,
  );
  return out.info;
});

registerSharedKernel<"dy" | "out", SageCsrAttrs>("SageConvCsrGrad", ({ inputs, attrs, backend, addon }) => {
  const { block, activation, rows } = attrs;
  const { indptr, indices, values } = csrOf(backend, rows);
  const outDim = inputs.dy.shape[1] as number;
  const dSelf = backend.allocate([rows.dim, outDim]);
  const dNeigh = backend.allocate([rows.dim, outDim]);
  const dBias = backend.allocate([outDim]);
  addon.sageConvCsrGrad(
    backend.reversibleBlock(block),
    rows.dim,
    outDim,
    indptr,
    indices,
    values,
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
