import type { TypedAttrs, TypedDroppedAttrs, TypedStoredAttrs, TypedWeights } from "../../../ops/typed-conv.ts";
import { runKernel } from "../../run-kernel.ts";
import type { Tensor, TensorInfo } from "../../tf.ts";
import { type NativeCall, registerNativeGradient, registerNativeKernel } from "../native-kernel.ts";
import type { NativeRows } from "../sparse-addon.ts";

type Weights = keyof TypedWeights;
type Call<Input extends string, Attrs extends TypedAttrs = TypedAttrs> = NativeCall<Input | Weights, Attrs>;
type Rows = Float32Array | NativeRows;

/** What both passes are told first. */
function argumentsOf({ inputs, attrs, backend }: Call<never>, x: Rows, means: Float32Array | null) {
  const { rows, activation } = attrs;
  const [relationRows, outDim] = inputs.relations.shape as [number, number];
  return [
    ...rows.edges,
    rows.lists.order,
    rows.numTypes,
    rows.lists.types,
    relationRows / rows.edges[3],
    outDim,
    activation === "relu",
    x,
    backend.floats(inputs.relations),
    backend.floats(inputs.own),
    backend.floats(inputs.bias),
    means,
  ] as const;
}

/** Means that were kept have a row for each row and relation with an edge; without edges there are none. */
function forward(call: Call<never>, x: Rows): TensorInfo[] {
  const { inputs, attrs, backend, addon } = call;
  const { numDst, edges, numTypes } = attrs.rows;
  const inDim = (inputs.own.shape[0] as number) / numTypes;
  const out = backend.allocate([numDst, inputs.relations.shape[1] as number]);
  const means = backend.allocateSaved(attrs.keepsMeans ? edges[4] * inDim : 0);
  addon.typedConv(...argumentsOf(call, x, attrs.keepsMeans ? means.values : null), out.values);
  return [out.info, means.info];
}

registerNativeKernel<"x" | Weights, TypedAttrs>("TypedConv", (call) =>
  forward(call, call.backend.floats(call.inputs.x)),
);

registerNativeKernel<Weights, TypedStoredAttrs>("TypedConvStored", (call) =>
  forward(call, call.backend.storedRows(call.attrs.stored)),
);

registerNativeKernel<"x" | Weights, TypedDroppedAttrs>("TypedConvDroppedInPlace", (call) => {
  const { rowIds, key, threshold } = call.attrs.drop;
  const [rows, dim] = call.inputs.x.shape as [number, number];
  const values = call.backend.writableFloats(call.inputs.x);
  call.addon.dropoutRows(rows, dim, values, call.backend.constantInts(rowIds), key, threshold, values);
  return forward(call, values);
});

/** The gradients by the weights and, where it is asked for, by x. */
function backward(call: Call<"dy" | "out" | "means">, x: Rows, dropped = 0): TensorInfo[] {
  const { inputs, attrs, backend, addon } = call;
  const inDim = (inputs.own.shape[0] as number) / attrs.rows.numTypes;
  const dx = attrs.needsInputGradient ? backend.allocate([attrs.rows.numSrc, inDim]) : null;
  const gradients = [inputs.relations, inputs.own, inputs.bias].map(({ shape }) => backend.allocate(shape));
  const [relations, own, bias] = gradients.map(({ values }) => values) as [Float32Array, Float32Array, Float32Array];
  const means = attrs.keepsMeans ? backend.floats(inputs.means) : null;
  const [out, dy] = [backend.floats(inputs.out), backend.floats(inputs.dy)];
  const results = [dx?.values ?? null, relations, own, bias] as const;
  addon.typedConvGrad(...argumentsOf(call, x, means), out, dy, ...results, dropped);
  return [...gradients.map(({ info }) => info), ...(dx ? [dx.info] : [])];
}

type GradInput = "dy" | "out" | "means" | Weights;

registerNativeKernel<GradInput | "x", TypedAttrs>("TypedConvGrad", (call) =>
  backward(call, call.backend.floats(call.inputs.x)),
);

registerNativeKernel<GradInput, TypedStoredAttrs>("TypedConvStoredGrad", (call) =>
  backward(call, call.backend.storedRows(call.attrs.stored)),
);

// Elements that were dropped in place are 0, and the layer before, which looks at signs, gives them no gradient.
registerNativeKernel<GradInput | "x", TypedDroppedAttrs>("TypedConvDroppedInPlaceGrad", (call) =>
  backward(call, call.backend.floats(call.inputs.x), call.attrs.drop.threshold),
);

function gradientsBy(kernel: string, inputs: Record<string, Tensor | undefined>, attrs: object) {
  const [relations, own, bias, x] = runKernel(kernel, inputs as Record<string, Tensor>, attrs) as [
    Tensor,
    Tensor,
    Tensor,
    Tensor?,
  ];
  return { relations, own, bias, ...(x && { x }) };
}

for (const kernel of ["TypedConv", "TypedConvDroppedInPlace"]) {
  registerNativeGradient(
    kernel,
    { inputsToSave: ["x", "relations", "own", "bias"], outputsToSave: [true, true] },
    (dy, [x, relations, own, bias, out, means], attrs) =>
      gradientsBy(`${kernel}Grad`, { dy, x, relations, own, bias, out, means }, attrs),
  );
}

registerNativeGradient(
  "TypedConvStored",
  { inputsToSave: ["relations", "own", "bias"], outputsToSave: [true, true] },
  (dy, [relations, own, bias, out, means], attrs) =>
    gradientsBy("TypedConvStoredGrad", { dy, relations, own, bias, out, means }, attrs),
);
