import { hasKernel, runKernel } from "../backends/run-kernel.ts";
import { add, matMul, relu, type Tensor1D, type Tensor2D, tidy } from "../backends/tf.ts";
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

export interface LinearAttrs {
  readonly activation: FusedActivation;
  /** Features are constants: their gradient is not computed. */
  readonly needsInputGradient: boolean;
}

export interface LinearStoredAttrs {
  readonly activation: FusedActivation;
  readonly rows: StoredRows;
}

export interface LinearCsrAttrs {
  readonly activation: FusedActivation;
  readonly rows: CsrRows;
}

/** By activation, as their gradients ask for different things. */
const kernels = {
  none: { dense: "Linear", stored: "LinearStored" },
  relu: { dense: "LinearRelu", stored: "LinearStoredRelu" },
} as const;

/**
 * Dense layer: out = act(x·W + b). CSR rows are densified by the composition alone.
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
    if (!hasKernel(kernels[activation].dense)) {
      const out = add<Tensor2D>(matMul("kind" in x ? featuresToTensor(x) : x, weight), bias);
      return activation === "relu" ? relu(out) : out;
    }
    if ("kind" in x && x.kind === "csr") {
      const attrs: LinearCsrAttrs = { activation, rows: x };
      return runKernel("LinearCsr", { weight, bias }, attrs)[0] as Tensor2D;
    }
    if (x instanceof StoredRows && x.source) {
      const attrs: LinearStoredAttrs = { activation, rows: x };
      return runKernel(kernels[activation].stored, { weight, bias }, attrs)[0] as Tensor2D;
    }
    const isFeatures = "kind" in x;
    const attrs: LinearAttrs = { activation, needsInputGradient: !isFeatures };
    const inputs = { x: isFeatures ? featuresToTensor(x) : x, weight, bias };
    return runKernel(kernels[activation].dense, inputs, attrs)[0] as Tensor2D;
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
