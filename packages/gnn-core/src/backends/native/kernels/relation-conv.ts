import type { RelationAttrs, RelationStoredAttrs } from "../../../ops/relation-conv.ts";
import { runKernel } from "../../run-kernel.ts";
import type { Tensor, TensorInfo } from "../../tf.ts";
import type { NativeAddon } from "../addon.ts";
import type { NativeBackend } from "../native-backend.ts";
import { registerNativeGradient, registerNativeKernel } from "../native-kernel.ts";
import type { RelationLists } from "../relation-addon.ts";
import type { NativeRows } from "../sparse-addon.ts";

type Rows = Float32Array | NativeRows;

const noLists: RelationLists = {
  relations: Int32Array.of(0),
  rows: new Int32Array(),
  indptr: Int32Array.of(0),
  entries: new Int32Array(),
};

function forward(
  { relations, reduce }: RelationAttrs,
  weights: TensorInfo,
  x: Rows,
  { backend, addon }: { readonly backend: NativeBackend; readonly addon: NativeAddon },
): TensorInfo {
  const { byDst } = relations;
  const [rows, outDim] = weights.shape as [number, number];
  const out = backend.allocate([byDst[1], outDim]);
  const widths = [rows / relations.numRelations, outDim] as const;
  addon.relationConv(...byDst, reduce === "mean", ...widths, x, backend.floats(weights), out.values);
  return out.info;
}

registerNativeKernel<"x" | "weights", RelationAttrs>("RelationConv", ({ inputs, attrs, backend, addon }) =>
  forward(attrs, inputs.weights, backend.floats(inputs.x), { backend, addon }),
);

registerNativeKernel<"weights", RelationStoredAttrs>("RelationConvStored", ({ inputs, attrs, backend, addon }) =>
  forward(attrs, inputs.weights, backend.storedRows(attrs.rows), { backend, addon }),
);

/** The gradients by the weights and, where it is asked for, by x. */
function backward(
  { relations, reduce, needsInputGradient }: RelationAttrs,
  { dy, weights }: { readonly dy: TensorInfo; readonly weights: TensorInfo },
  x: Rows,
  { backend, addon }: { readonly backend: NativeBackend; readonly addon: NativeAddon },
): TensorInfo[] {
  const { byDst, numRelations } = relations;
  const [rows, outDim] = weights.shape as [number, number];
  const inDim = rows / numRelations;
  const [numSrc, , numEdges] = byDst;
  const dx = needsInputGradient ? backend.allocate([numSrc, inDim]) : null;
  const dWeights = backend.allocate([rows, outDim]);
  const bySrc = dx && numEdges > 0 ? relations.bySrc : noLists;
  addon.relationConvGrad(
    ...byDst,
    bySrc.rows.length,
    bySrc.relations,
    bySrc.rows,
    bySrc.indptr,
    bySrc.entries,
    reduce === "mean",
    inDim,
    outDim,
    x,
    backend.floats(weights),
    backend.floats(dy),
    dx?.values ?? null,
    dWeights.values,
  );
  return [dWeights.info, ...(dx ? [dx.info] : [])];
}

registerNativeKernel<"dy" | "x" | "weights", RelationAttrs>("RelationConvGrad", ({ inputs, attrs, backend, addon }) =>
  backward(attrs, inputs, backend.floats(inputs.x), { backend, addon }),
);

registerNativeKernel<"dy" | "weights", RelationStoredAttrs>(
  "RelationConvStoredGrad",
  ({ inputs, attrs, backend, addon }) => backward(attrs, inputs, backend.storedRows(attrs.rows), { backend, addon }),
);

registerNativeGradient(
  "RelationConv",
  { inputsToSave: ["x", "weights"], outputsToSave: [] },
  (dy, [x, weights], attrs) => {
    const inputs = { dy, x, weights } as Record<string, Tensor>;
    const [dWeights, dx] = runKernel("RelationConvGrad", inputs, attrs) as [Tensor, Tensor?];
    return { weights: dWeights, ...(dx && { x: dx }) };
  },
);

registerNativeGradient(
  "RelationConvStored",
  { inputsToSave: ["weights"], outputsToSave: [] },
  (dy, [weights], attrs) => {
    const inputs = { dy, weights } as Record<string, Tensor>;
    return { weights: (runKernel("RelationConvStoredGrad", inputs, attrs) as [Tensor])[0] };
  },
);
