import type { RelationAttrs, RelationStoredAttrs } from "../../../ops/relation-conv.ts";
import type { ArrayTypes } from "../../memory.ts";
import { runKernel } from "../../run-kernel.ts";
import type { Tensor, TensorInfo } from "../../tf.ts";
import { type KernelCall, registerNativeGradient, registerSharedKernel } from "../native-kernel.ts";
import type { EdgesByRelation } from "../relation-addon.ts";
import type { RelationLists } from "../relation-lists-addon.ts";

/** Where a kernel runs, and what it is told. */
type Call<M extends ArrayTypes> = Pick<KernelCall<never, RelationAttrs, M>, "attrs" | "backend" | "addon">;

const noLists: RelationLists = {
  relations: Int32Array.of(0),
  rows: new Int32Array(),
  indptr: Int32Array.of(0),
  entries: new Int32Array(),
};

function edgesByDst<M extends ArrayTypes>({ attrs, backend }: Call<M>): EdgesByRelation<M["ints"]> {
  const [numSrc, numDst, numEdges, numRelations, numByDst, ...lists] = attrs.relations.byDst;
  const [relations, rows, indptr, entries] = lists.map((each) => backend.constantInts(each)) as IntsOf<M>;
  return [numSrc, numDst, numEdges, numRelations, numByDst, relations, rows, indptr, entries];
}

type IntsOf<M extends ArrayTypes> = [M["ints"], M["ints"], M["ints"], M["ints"]];

function edgesBySrc<M extends ArrayTypes>(
  { attrs: { relations }, backend }: Call<M>,
  isRead: boolean,
): [numBySrc: number, ...lists: IntsOf<M>] {
  const lists = isRead && relations.byDst[2] > 0 ? relations.bySrc : noLists;
  const { rows, indptr, entries } = lists;
  const ints = [lists.relations, rows, indptr, entries].map((each) => backend.constantInts(each)) as IntsOf<M>;
  return [rows.length, ...ints];
}

function forward<M extends ArrayTypes>(call: Call<M>, weights: TensorInfo, x: M["rows"]): TensorInfo {
  const { attrs, backend, addon } = call;
  const [rows, outDim] = weights.shape as [number, number];
  const out = backend.allocate([attrs.relations.byDst[1], outDim]);
  const widths = [rows / attrs.relations.numRelations, outDim] as const;
  addon.relationConv(...edgesByDst(call), attrs.reduce === "mean", ...widths, x, backend.floats(weights), out.values);
  return out.info;
}

registerSharedKernel<"x" | "weights", RelationAttrs>("RelationConv", (call) =>
  forward(call, call.inputs.weights, call.backend.floats(call.inputs.x)),
);

registerSharedKernel<"weights", RelationStoredAttrs>("RelationConvStored", (call) =>
  forward(call, call.inputs.weights, call.backend.storedRows(call.attrs.rows)),
);

/** The gradients by the weights and, where it is asked for, by x. */
function backward<M extends ArrayTypes>(
  call: Call<M>,
  { dy, weights }: { readonly dy: TensorInfo; readonly weights: TensorInfo },
  x: M["rows"],
): TensorInfo[] {
  const { attrs, backend, addon } = call;
  const { relations, reduce, needsInputGradient } = attrs;
  const [rows, outDim] = weights.shape as [number, number];
  const inDim = rows / relations.numRelations;
  const dx = needsInputGradient ? backend.allocate([relations.byDst[0], inDim]) : null;
  const dWeights = backend.allocate([rows, outDim]);
  addon.relationConvGrad(
    ...edgesByDst(call),
    ...edgesBySrc(call, dx !== null),
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

registerSharedKernel<"dy" | "x" | "weights", RelationAttrs>("RelationConvGrad", (call) =>
  backward(call, call.inputs, call.backend.floats(call.inputs.x)),
);

registerSharedKernel<"dy" | "weights", RelationStoredAttrs>("RelationConvStoredGrad", (call) =>
  backward(call, call.inputs, call.backend.storedRows(call.attrs.rows)),
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
