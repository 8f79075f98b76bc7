import {
  type NativeCall,
  registerNativeGradient,
  registerNativeKernel,
  runNativeKernel,
} from "../backends/native/native-kernel.ts";
import type { NativeRows } from "../backends/native/sparse-addon.ts";
import {
  add,
  getBackend,
  matMul,
  relu,
  slice,
  type Tensor,
  type Tensor1D,
  type Tensor2D,
  type TensorInfo,
  tidy,
} from "../backends/tf.ts";
import type { FeatureRows } from "../features/feature-store.ts";
import { StoredRows } from "../features/stored-rows.ts";
import type { Block } from "../graph/block.ts";
import { aggregatesFirst } from "./aggregate-order.ts";
import { checkBlockRows, nativeBlock, reversibleBlock } from "./block-attrs.ts";
import { type DropoutAttrs, type DropoutKey, dropout, dropoutAttrs } from "./dropout.ts";
import { featuresToTensor } from "./features-to-tensor.ts";
import { checkColumns, type FusedActivation } from "./linear.ts";
import { sampledSageConv } from "./sampled-sage-conv.ts";
import { composeSpmmMean } from "./spmm.ts";

export interface SageWeights {
  /** float32 [inDim, outDim], applied to the node itself */
  readonly weightSelf: Tensor2D;
  /** float32 [inDim, outDim], applied to the neighbours' mean */
  readonly weightNeigh: Tensor2D;
  /** float32 [outDim] */
  readonly bias: Tensor1D;
}

type CsrRows = Extract<FeatureRows, { kind: "csr" }>;
interface SageAttrs {
  readonly block: Block;
  readonly activation: FusedActivation;
  readonly needsInputGradient: boolean;
}
interface SageDroppedAttrs extends SageAttrs {
  readonly drop: DropoutAttrs;
  readonly inPlace: boolean;
}
interface SageStoredAttrs extends SageAttrs {
  readonly rows: StoredRows;
}
interface SageCsrAttrs {
  readonly block: Block;
  readonly activation: FusedActivation;
  readonly rows: CsrRows;
}

/**
 * GraphSAGE with mean aggregation, fused: no edge message is stored.
 *   h_v = act(W_self·x_v + W_neigh·mean{ x_u : u ∈ N(v) } + b)
 * Hamilton et al. 2017 (arXiv:1706.02216), Algorithm 1, lines 4-5. A block with importance weights takes the
 * unfused path, whose mean is `spmmMean`.
 *
 * @param block  numSrc ≥ numDst; dst nodes are its first numDst src nodes
 * @param x      float32 [numSrc, inDim], row i belongs to block.srcIds[i]; feature rows get no gradient
 * @returns      float32 [numDst, outDim], owned by the caller. No in-neighbour: mean is 0
 * @throws GnnError SHAPE_MISMATCH when x has not numSrc rows or inDim columns
 */
export function sageConv(
  block: Block,
  x: FeatureRows | Tensor2D,
  weights: SageWeights,
  activation: FusedActivation,
): Tensor2D {
  checkBlockRows("sageConv", block, "kind" in x ? x.numRows : x.shape[0]);
  checkColumns("sageConv", x, weights.weightSelf);
  return tidy(() => {
    if (getBackend() !== "native") {
      return composeSageConv(block, "kind" in x ? featuresToTensor(x) : x, weights, activation);
    }
    if (block.importance) return sampledSageConv(block, x, weights, activation);
    const inputs = { weightSelf: weights.weightSelf, weightNeigh: weights.weightNeigh, bias: weights.bias };
    if ("kind" in x && x.kind === "csr") {
      const attrs: SageCsrAttrs = { block, activation, rows: x };
      return runNativeKernel("SageConvCsr", inputs, attrs)[0] as Tensor2D;
    }
    const isFeatures = "kind" in x;
    const attrs: SageAttrs = { block, activation, needsInputGradient: !isFeatures };
    if (x instanceof StoredRows && x.source && !x.isDropped) {
      return runNativeKernel("SageConvStored", inputs, { ...attrs, rows: x } satisfies SageStoredAttrs)[0] as Tensor2D;
    }
    return runNativeKernel("SageConv", { x: isFeatures ? featuresToTensor(x) : x, ...inputs }, attrs)[0] as Tensor2D;
  });
}

/**
 * sageConv of x with dropped elements (ops/dropout.ts), with fewer arrays of its size in training; the same bits.
 *
 * @param x       float32 [numSrc, inDim]
 * @param rate    in [0, 1)
 * @param inPlace x may be dropped in its own memory: nobody asks for its values any more, only which of them are positive
 * @returns       float32 [numDst, outDim], owned by the caller
 * @throws GnnError SHAPE_MISMATCH, SPEC_INVALID (rate)
 */
export function sageConvDropped(
  block: Block,
  x: Tensor2D,
  weights: SageWeights,
  activation: FusedActivation,
  { rate, key, inPlace = false }: { readonly rate: number; readonly key: DropoutKey; readonly inPlace?: boolean },
): Tensor2D {
  const drop = dropoutAttrs(x.shape[0], block.srcIds, rate, key);
  if (getBackend() !== "native" || block.importance || drop.threshold === 0) {
    return tidy(() => sageConv(block, dropout(x, block.srcIds, rate, key), weights, activation));
  }
  checkBlockRows("sageConv", block, x.shape[0]);
  checkColumns("sageConv", x, weights.weightSelf);
  const inputs = { x, weightSelf: weights.weightSelf, weightNeigh: weights.weightNeigh, bias: weights.bias };
  const attrs: SageDroppedAttrs = { block, activation, needsInputGradient: true, drop, inPlace };
  const kernel = inPlace ? "SageConvDroppedInPlace" : "SageConvDropped";
  return tidy(() => runNativeKernel(kernel, inputs, attrs)[0] as Tensor2D);
}

/** The same from stock ops. */
export function composeSageConv(
  block: Block,
  x: Tensor2D,
  weights: SageWeights,
  activation: FusedActivation,
): Tensor2D {
  const own = matMul(slice(x, [0, 0], [block.numDst, x.shape[1]]), weights.weightSelf);
  const neighbours = matMul(composeSpmmMean(block, x), weights.weightNeigh);
  const out = add<Tensor2D>(add(own, neighbours), weights.bias);
  return activation === "relu" ? relu(out) : out;
}

type SageCall<Input extends string, Attrs extends SageAttrs> = NativeCall<Input | "weightSelf" | "weightNeigh", Attrs>;

function forward(
  { inputs, attrs, backend, addon }: SageCall<"bias", SageAttrs>,
  x: Float32Array | NativeRows,
): TensorInfo[] {
  const { block, activation } = attrs;
  const [inDim, outDim] = inputs.weightSelf.shape as [number, number];
  const isAggregated = aggregatesFirst(block, inDim, outDim);
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
  const { block, activation, needsInputGradient } = attrs;
  const [inDim, outDim] = inputs.weightSelf.shape as [number, number];
  const dSelf = backend.allocate([inDim, outDim]);
  const dNeigh = backend.allocate([inDim, outDim]);
  const dBias = backend.allocate([outDim]);
  const dx = needsInputGradient ? backend.allocate([block.numSrc, inDim]) : null;
  const isAggregated = aggregatesFirst(block, inDim, outDim);
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
// The gradient of the dropped rows becomes that of x in its own memory: two of them would be the largest arrays of a step.
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
  const [dSelf, dNeigh, dBias, dx] = runNativeKernel(kernel, inputs as Record<string, Tensor>, attrs) as [
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
