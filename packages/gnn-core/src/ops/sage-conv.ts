import { hasKernel, runKernel } from "../backends/run-kernel.ts";
import { add, matMul, relu, slice, type Tensor1D, type Tensor2D, tidy } from "../backends/tf.ts";
import type { FeatureRows } from "../features/feature-store.ts";
import { StoredRows } from "../features/stored-rows.ts";
import type { Block } from "../graph/block.ts";
import { aggregatesFirst } from "./aggregate-order.ts";
import { checkBlockRows } from "./block-attrs.ts";
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

export interface SageAttrs {
  readonly block: Block;
  readonly activation: FusedActivation;
  readonly needsInputGradient: boolean;
  /** Whether rows are summed before they are multiplied: the cheaper order (aggregate-order.ts) */
  readonly aggregatesFirst: boolean;
}

export interface SageDroppedAttrs extends SageAttrs {
  readonly drop: DropoutAttrs;
  readonly inPlace: boolean;
}

export interface SageStoredAttrs extends SageAttrs {
  readonly rows: StoredRows;
}

export interface SageCsrAttrs {
  readonly block: Block;
  readonly activation: FusedActivation;
  readonly rows: CsrRows;
}

/**
 * GraphSAGE with mean aggregation, fused: no edge message is stored.
 *   h_v = act(W_self·x_v + W_neigh·mean{ x_u : u ∈ N(v) } + b)
 * Hamilton et al. 2017 (arXiv:1706.02216), Algorithm 1, lines 4-5. A block with importance weights or message
 * factors takes the unfused path, whose mean is `spmmMean`.
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
    if (!hasKernel("SageConv")) {
      return composeSageConv(block, "kind" in x ? featuresToTensor(x) : x, weights, activation);
    }
    if (block.importance || block.messageFactors) return sampledSageConv(block, x, weights, activation);
    const inputs = { weightSelf: weights.weightSelf, weightNeigh: weights.weightNeigh, bias: weights.bias };
    if ("kind" in x && x.kind === "csr") {
      const attrs: SageCsrAttrs = { block, activation, rows: x };
      return runKernel("SageConvCsr", inputs, attrs)[0] as Tensor2D;
    }
    const isFeatures = "kind" in x;
    const attrs: SageAttrs = {
      block,
      activation,
      needsInputGradient: !isFeatures,
      aggregatesFirst: aggregatesFirst(block, ...weights.weightSelf.shape),
    };
    if (x instanceof StoredRows && x.source && !x.isDropped) {
      return runKernel("SageConvStored", inputs, { ...attrs, rows: x } satisfies SageStoredAttrs)[0] as Tensor2D;
    }
    return runKernel("SageConv", { x: isFeatures ? featuresToTensor(x) : x, ...inputs }, attrs)[0] as Tensor2D;
  });
}

/**
 * sageConv of x with dropped elements (ops/dropout.ts), with fewer arrays of its size in training; the same bits.
 *
 * @param x       float32 [numSrc, inDim]
 * @param rate    in [0, 1)
 * @param inPlace x may be dropped in its own memory: nobody asks for its values any more, only which of them are
 * positive
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
  const kernel = inPlace ? "SageConvDroppedInPlace" : "SageConvDropped";
  if (!hasKernel(kernel) || block.importance || block.messageFactors || drop.threshold === 0) {
    return tidy(() => sageConv(block, dropout(x, block.srcIds, rate, key), weights, activation));
  }
  checkBlockRows("sageConv", block, x.shape[0]);
  checkColumns("sageConv", x, weights.weightSelf);
  const inputs = { x, weightSelf: weights.weightSelf, weightNeigh: weights.weightNeigh, bias: weights.bias };
  const attrs: SageDroppedAttrs = {
    block,
    activation,
    needsInputGradient: true,
    aggregatesFirst: aggregatesFirst(block, ...weights.weightSelf.shape),
    drop,
    inPlace,
  };
  return tidy(() => runKernel(kernel, inputs, attrs)[0] as Tensor2D);
}

/** Composes the op from stock ones. */
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
