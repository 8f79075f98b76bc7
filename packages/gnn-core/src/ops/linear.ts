import {
  type NativeCall,
  registerNativeGradient,
  registerNativeKernel,
  runNativeKernel,
} from "../backends/native/native-kernel.ts";
import {
  add,
  getBackend,
  matMul,
  relu,
  type Tensor,
  type Tensor1D,
  type Tensor2D,
  type TensorInfo,
  tidy,
} from "../backends/tf.ts";
import { GnnError } from "../errors/gnn-error.ts";
import type { FeatureRows } from "../features/feature-store.ts";
import { StoredRows } from "../features/stored-rows.ts";
import { featuresToTensor } from "./features-to-tensor.ts";

export interface LinearWeights {
  /** float32 [inDim, outDim] */
  readonly weight: Tensor2D;
  /** float32 [outDim] */
  readonly bias: Tensor1D;
}

/** Activations that the fused kernels apply themselves. */
export type FusedActivation = "relu" | "none";

type CsrRows = Extract<FeatureRows, { kind: "csr" }>;
interface LinearAttrs {
  readonly activation: FusedActivation;
  /** Features are constants: their gradient is not computed. */
  readonly needsInputGradient: boolean;
}
interface LinearStoredAttrs {
  readonly activation: FusedActivation;
  readonly rows: StoredRows;
}
interface LinearCsrAttrs {
  readonly activation: FusedActivation;
  readonly rows: CsrRows;
}

/** By activation: without one the gradient does not ask for the output, whose memory is then free before it begins. */
const kernels = {
  none: { dense: "Linear", stored: "LinearStored" },
  relu: { dense: "LinearRelu", stored: "LinearStoredRelu" },
} as const;
const activations = ["none", "relu"] as const;

/**
 * Dense layer: out = act(x·W + b). CSR rows are never densified by the native kernel.
 *
 * @param x  float32 [n, inDim]: a tensor (gets a gradient), or feature rows (do not)
 * @returns  float32 [n, outDim], owned by the caller
 * @throws GnnError SHAPE_MISMATCH when x has not inDim columns
 */
export function linear(
  x: FeatureRows | Tensor2D,
  { weight, bias }: LinearWeights,
  activation: FusedActivation,
): Tensor2D {
  checkColumns("linear", x, weight);
  return tidy(() => {
    if (getBackend() !== "native") {
      const out = add<Tensor2D>(matMul("kind" in x ? featuresToTensor(x) : x, weight), bias);
      return activation === "relu" ? relu(out) : out;
    }
    if ("kind" in x && x.kind === "csr") {
      const attrs: LinearCsrAttrs = { activation, rows: x };
      return runNativeKernel("LinearCsr", { weight, bias }, attrs)[0] as Tensor2D;
    }
    if (x instanceof StoredRows && x.source) {
      const attrs: LinearStoredAttrs = { activation, rows: x };
      return runNativeKernel(kernels[activation].stored, { weight, bias }, attrs)[0] as Tensor2D;
    }
    const isFeatures = "kind" in x;
    const attrs: LinearAttrs = { activation, needsInputGradient: !isFeatures };
    const inputs = { x: isFeatures ? featuresToTensor(x) : x, weight, bias };
    return runNativeKernel(kernels[activation].dense, inputs, attrs)[0] as Tensor2D;
  });
}

/** @throws GnnError SHAPE_MISMATCH when x has not one column per row of the weight */
export function checkColumns(op: string, x: FeatureRows | Tensor2D, weight: Tensor2D): void {
  const columns = "kind" in x ? x.dim : x.shape[1];
  if (columns !== weight.shape[0]) {
    throw new GnnError(
      "SHAPE_MISMATCH",
      `${op}: x has ${columns} columns; expected the weight's input size, ${weight.shape[0]}.`,
    );
  }
}

function denseForward({ inputs, attrs, backend, addon }: NativeCall<"x" | "weight" | "bias", LinearAttrs>): TensorInfo {
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

type LinearGradCall<Input extends string, Attrs> = NativeCall<Input | "dy" | "weight", Attrs> & {
  /** There where the activation asks for it */
  readonly inputs: { readonly out?: TensorInfo };
};

registerNativeKernel("LinearGrad", ({ inputs, attrs, backend, addon }: LinearGradCall<"x", LinearAttrs>) => {
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
  registerNativeKernel(dense, denseForward);
  registerNativeGradient(
    dense,
    { inputsToSave: ["x", "weight"], outputsToSave: [activation === "relu"] },
    (dy, [x, weight, out], attrs) => {
      const inputs = { dy, x, weight, ...(out && { out }) } as Record<string, Tensor>;
      const [dWeight, dBias, dx] = runNativeKernel("LinearGrad", inputs, attrs) as [Tensor, Tensor, Tensor?];
      return { weight: dWeight, bias: dBias, ...(dx && { x: dx }) };
    },
  );
}

function storedForward({
  inputs,
  attrs,
  backend,
  addon,
}: NativeCall<"weight" | "bias", LinearStoredAttrs>): TensorInfo {
  const { rows, activation } = attrs;
  const [inDim, outDim] = inputs.weight.shape as [number, number];
  const out = backend.allocate([rows.numRows, outDim]);
  const ws = backend.floats(inputs.weight);
  const bs = backend.floats(inputs.bias);
  addon.linear(rows.numRows, inDim, outDim, rows.source ?? rows.values, ws, bs, activation === "relu", out.values);
  return out.info;
}

registerNativeKernel(
  "LinearStoredGrad",
  ({ inputs, attrs, backend, addon }: LinearGradCall<never, LinearStoredAttrs>) => {
    const { dy, weight, out = dy } = inputs;
    const { rows, activation } = attrs;
    const [inDim, outDim] = weight.shape as [number, number];
    const dWeight = backend.allocate([inDim, outDim]);
    const dBias = backend.allocate([outDim]);
    addon.linearGrad(
      rows.numRows,
      inDim,
      outDim,
      rows.source ?? rows.values,
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
  registerNativeKernel(stored, storedForward);
  registerNativeGradient(
    stored,
    { inputsToSave: ["weight"], outputsToSave: [activation === "relu"] },
    (dy, [weight, out], attrs) => {
      const inputs = { dy, weight, ...(out && { out }) } as Record<string, Tensor>;
      const [dWeight, dBias] = runNativeKernel("LinearStoredGrad", inputs, attrs) as [Tensor, Tensor];
      return { weight: dWeight, bias: dBias };
    },
  );
}

registerNativeKernel<"weight" | "bias", LinearCsrAttrs>("LinearCsr", ({ inputs, attrs, backend, addon }) => {
  const { numRows, indptr, indices, values } = attrs.rows;
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

registerNativeKernel<"dy" | "out", LinearCsrAttrs>("LinearCsrGrad", ({ inputs, attrs, backend, addon }) => {
  const { numRows, dim, indptr, indices, values } = attrs.rows;
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
  const [dWeight, dBias] = runNativeKernel("LinearCsrGrad", { dy, out } as Record<string, Tensor>, attrs);
  return { weight: dWeight as Tensor, bias: dBias as Tensor };
});
