import type { LinearAttrs, LinearCsrAttrs, LinearStoredAttrs } from "../../../ops/linear.ts";
import type { ArrayTypes } from "../../memory.ts";
import { runKernel } from "../../run-kernel.ts";
import type { Tensor, TensorInfo } from "../../tf.ts";
import { type KernelCall, registerNativeGradient, registerSharedKernel } from "../native-kernel.ts";
import { csrOf } from "./csr-args.ts";

/** By activation: without one the gradient does not ask for the output, whose memory is then free before it begins. */
const kernels = {
  none: { dense: "Linear", stored: "LinearStored" },
  relu: { dense: "LinearRelu", stored: "LinearStoredRelu" },
} as const;
const activations = ["none", "relu"] as const;

function denseForward<M extends ArrayTypes>({
  inputs,
  attrs,
  backend,
  addon,
}: KernelCall<"x" | "weight" | "bias", LinearAttrs, M>): TensorInfo {
  const { x, weight, bias } = inputs;
  const rows = x.shape[0] as number;
  const [inDim, outDim] = weight.shape as [number, number];
  const out = backend.allocate([rows, outDim]);
  const xs = backend.floats(x);
  const ws = backend.floats(weight);
  const bs = backend.floats(bias);
  addon.linear(rows, inDim, outDim, xs, ws, bs, attrs.activation === "relu", out.values);
  return out.info;
}

type LinearGradCall<Input extends string, Attrs, M extends ArrayTypes> = KernelCall<
  Input | "dy" | "weight",
  Attrs,
  M
> & {
  /** There where the activation asks for it */
  readonly inputs: { readonly out?: TensorInfo };
};

registerSharedKernel("LinearGrad", <M extends ArrayTypes>(call: LinearGradCall<"x", LinearAttrs, M>) => {
  const { inputs, attrs, backend, addon } = call;
  const { dy, x, weight, out = dy } = inputs;
  const rows = x.shape[0] as number;
  const [inDim, outDim] = weight.shape as [number, number];
  const dx = attrs.needsInputGradient ? backend.allocate([rows, inDim]) : null;
  const dWeight = backend.allocate([inDim, outDim]);
  const dBias = backend.allocate([outDim]);
  addon.linearGrad(
    rows,
    inDim,
    outDim,
    backend.floats(x),
    backend.floats(weight),
    backend.floats(out),
    backend.floats(dy),
    attrs.activation === "relu",
    dx?.values ?? null,
    dWeight.values,
    dBias.values,
  );
  return [dWeight.info, dBias.info, ...(dx ? [dx.info] : [])];
});

for (const activation of activations) {
  const { dense } = kernels[activation];
  registerSharedKernel(dense, denseForward);
  registerNativeGradient(
    dense,
    { inputsToSave: ["x", "weight"], outputsToSave: [activation === "relu"] },
    (dy, [x, weight, out], attrs) => {
      const inputs = { dy, x, weight, ...(out && { out }) } as Record<string, Tensor>;
      const [dWeight, dBias, dx] = runKernel("LinearGrad", inputs, attrs) as [Tensor, Tensor, Tensor?];
      return { weight: dWeight, bias: dBias, ...(dx && { x: dx }) };
    },
  );
}

function storedForward<M extends ArrayTypes>({
  inputs,
  attrs,
  backend,
  addon,
}: KernelCall<"weight" | "bias", LinearStoredAttrs, M>): TensorInfo {
  const { rows, activation } = attrs;
  const [inDim, outDim] = inputs.weight.shape as [number, number];
  const out = backend.allocate([rows.numRows, outDim]);
  const ws = backend.floats(inputs.weight);
  const bs = backend.floats(inputs.bias);
  addon.linear(rows.numRows, inDim, outDim, backend.storedRows(rows), ws, bs, activation === "relu", out.values);
  return out.info;
}

registerSharedKernel(
  "LinearStoredGrad",
  <M extends ArrayTypes>({ inputs, attrs, backend, addon }: LinearGradCall<never, LinearStoredAttrs, M>) => {
    const { dy, weight, out = dy } = inputs;
    const { rows, activation } = attrs;
    const [inDim, outDim] = weight.shape as [number, number];
    const dWeight = backend.allocate([inDim, outDim]);
    const dBias = backend.allocate([outDim]);
    addon.linearGrad(
      rows.numRows,
      inDim,
      outDim,
      backend.storedRows(rows),
      backend.floats(weight),
      backend.floats(out),
      backend.floats(dy),
      activation === "relu",
      null,
      dWeight.values,
      dBias.values,
    );
    return [dWeight.info, dBias.info];
  },
);

for (const activation of activations) {
  const { stored } = kernels[activation];
  registerSharedKernel(stored, storedForward);
  registerNativeGradient(
    stored,
    { inputsToSave: ["weight"], outputsToSave: [activation === "relu"] },
    (dy, [weight, out], attrs) => {
      const inputs = { dy, weight, ...(out && { out }) } as Record<string, Tensor>;
      const [dWeight, dBias] = runKernel("LinearStoredGrad", inputs, attrs) as [Tensor, Tensor];
      return { weight: dWeight, bias: dBias };
    },
  );
}

registerSharedKernel<"weight" | "bias", LinearCsrAttrs>("LinearCsr", ({ inputs, attrs, backend, addon }) => {
  const { numRows } = attrs.rows;
  const { indptr, indices, values } = csrOf(backend, attrs.rows);
  const [inDim, outDim] = inputs.weight.shape as [number, number];
  const out = backend.allocate([numRows, outDim]);
  addon.csrMatmul(
    numRows,
    inDim,
    outDim,
    indptr,
    indices,
    values,
    backend.floats(inputs.weight),
    backend.floats(inputs.bias),
    attrs.activation === "relu",
    out.values,
  );
  return out.info;
});

registerSharedKernel<"dy" | "out", LinearCsrAttrs>("LinearCsrGrad", ({ inputs, attrs, backend, addon }) => {
  const { numRows, dim } = attrs.rows;
  const { indptr, indices, values } = csrOf(backend, attrs.rows);
  const outDim = inputs.dy.shape[1] as number;
  const dWeight = backend.allocate([dim, outDim]);
  const dBias = backend.allocate([outDim]);
  const isRelu = attrs.activation === "relu";
  const dy = backend.floats(inputs.dy);
  const masked = isRelu ? backend.allocate([numRows, outDim]) : null;
  addon.maskedBiasGrad(
    numRows,
    outDim,
    dy,
    isRelu ? backend.floats(inputs.out) : null,
    masked?.values ?? null,
    dBias.values,
  );
  addon.csrMatmulGrad(numRows, dim, outDim, indptr, indices, values, masked?.values ?? dy, dWeight.values);
  if (masked) backend.disposeData(masked.info.dataId);
  return [dWeight.info, dBias.info];
});

registerNativeGradient("LinearCsr", { inputsToSave: [], outputsToSave: [true] }, (dy, [out], attrs) => {
  const [dWeight, dBias] = runKernel("LinearCsrGrad", { dy, out } as Record<string, Tensor>, attrs);
  return { weight: dWeight as Tensor, bias: dBias as Tensor };
});
